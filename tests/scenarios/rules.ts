/*
 * The rules of what a program does at run time, and the tests that hold the engine to each. `rules.test.ts` sees to it that
 * every rule has one and that none of the names is of a test that is gone.
 *
 * A test is named by its file and its title. Those of this directory are run again with a crash between every two commits;
 * where what a rule says depends on when a crash was (what a budget still allows, how often something was tried), the test
 * is one of the machine itself.
 */

export interface Rule {
  readonly says: string;
  readonly shownBy: readonly string[];
}

const BUDGET = 'packages/engine/machine/budget.test.ts';

export const RULES: Readonly<Record<string, readonly Rule[]>> = {
  'what a node is given': [
    {
      says: 'every edge with values whose source has an output gives them, in profile 1',
      shownBy: ['inputs.test.ts: are given too in profile 1, where the source of the edge has an output'],
    },
    {
      says: 'only edges that were taken give values, in profile 2',
      shownBy: ['inputs.test.ts: are not given in profile 2'],
    },
    {
      says: 'later edges lie over earlier ones, and the one just taken over all in profile 2',
      shownBy: [
        'inputs.test.ts: stay in profile 1, where the later edge in the file has the last word',
        'inputs.test.ts: stay in profile 2, under those of the edge just taken',
      ],
    },
    {
      says: 'one reference keeps its type, and null is kept',
      shownBy: [
        'inputs.test.ts: an edge that gives one reference keeps its type, and null where it finds nothing',
      ],
    },
    {
      says: 'the entry is given the vars, any other node nothing',
      shownBy: [
        'inputs.test.ts: the entry is given the vars where no edge gives it anything, and other nodes nothing',
      ],
    },
    {
      says: 'what is mapped to a person’s node is what they are asked',
      shownBy: [
        'outputs.test.ts: what a person fills in is the output of their node, in the types of its schema',
      ],
    },
    {
      says: 'files are given to a run by name, and to a turn by its message',
      shownBy: [
        'attachments.test.ts: is read by its parts in prompts, by its path alone, and one that nobody gave stays as it is written',
        'attachments.test.ts: a file of a message is named to the agents of its turn, and to no other',
      ],
    },
  ],
  'the next edge': [
    {
      says: 'a conditional edge that holds wins, in file order',
      shownBy: ['edges.test.ts: the first condition that holds wins, wherever the plain edge stands'],
    },
    { says: 'else the first plain one', shownBy: ['edges.test.ts: the plain edge is taken when none holds'] },
    {
      says: 'a condition that cannot be judged skips its edge',
      shownBy: ['edges.test.ts: a condition that cannot be judged is passed over'],
    },
    {
      says: 'no edge left holds the node, which may run again',
      shownBy: ['edges.test.ts: none may lead on: then the node is held, and may run again'],
    },
    {
      says: 'an exhausted loop with no other edge asks a person',
      shownBy: [
        'edges.test.ts: that is used up with no other way asks a person, who may add as many rounds again or end the run',
      ],
    },
  ],
  loops: [
    {
      says: 'N crossings are N+1 runs of the entry',
      shownBy: ['edges.test.ts: of N crossings runs its entry N+1 times, and then another edge is taken'],
    },
    {
      says: 'a cap that is a template is asked for at each check',
      shownBy: ['edges.test.ts: whose cap is a template asks for it at each round'],
    },
    {
      says: 'an edge from outside makes an inner loop fresh',
      shownBy: [
        'edges.test.ts: inside another is fresh each time it is come to from outside, and the outer one is not',
      ],
    },
    {
      says: 'several edges may share a loop',
      shownBy: ['edges.test.ts: may have several edges, which share its rounds'],
    },
    {
      says: 'the previous output is one crossing behind',
      shownBy: ['edges.test.ts: remembers what its source gave one crossing ago'],
    },
    {
      says: 'a node’s iteration is the largest counter around it',
      shownBy: ['outputs.test.ts: a node knows how often the loops around it were crossed, the most of them'],
    },
  ],
  'routers and branches': [
    {
      says: 'condition passes its input on',
      shownBy: ['routers.test.ts: a condition router passes its input on, and its edges decide over it'],
    },
    {
      says: 'round_robin takes the next plain edge by a counter that is kept',
      shownBy: [
        'routers.test.ts: a round_robin router takes one edge after the other, over all turns of a run',
      ],
    },
    {
      says: 'llm goes where a model says, by a schema of the targets',
      shownBy: [
        'routers.test.ts: goes where the model says, which is told the targets as a schema',
        'routers.test.ts: fails by schema at an answer %s, and may be asked again',
      ],
    },
    {
      says: 'multi fans out',
      shownBy: ['routers.test.ts: with `multi` goes every way that the model says at once'],
    },
    {
      says: 'fan_out_all makes a branch of every edge, each with outputs of its own, which meet',
      shownBy: [
        'branches.test.ts: there is what all of them put out, whoever was first',
        'branches.test.ts: a target that others lead to is the meeting itself',
        'branches.test.ts: a branch may fork again, and its branches are named after it',
      ],
    },
    {
      says: 'so many branches work at once',
      shownBy: [
        'branches-at-work.test.ts: no more branches are at work than the plan allows, and all come to an end',
      ],
    },
    {
      says: 'wait_all: a failure stops the others',
      shownBy: [
        'branches-at-work.test.ts: stops the backends of the others, and "again" lets all go on that had not ended',
        'branches.test.ts: is held where it failed, and after "again" nothing that was finished is done once more',
      ],
    },
    {
      says: 'best_effort: failures are named where the others meet',
      shownBy: ['branches.test.ts: under best_effort is named where the others meet'],
    },
    {
      says: 'branches that all end at done end the run',
      shownBy: ['branches.test.ts: branches that all come to `done` end the run'],
    },
    {
      says: 'at most one branch may change the workspace',
      shownBy: ['branches.test.ts: that would change the workspace together with another is not begun'],
    },
    {
      says: 'guards and whole loops work inside a branch',
      shownBy: ['branches.test.ts: guards choose and a loop that is wholly in it goes round'],
    },
    {
      says: 'people may be asked in a branch while others go on',
      shownBy: ['branches.test.ts: people are asked while others go on, and answer %s'],
    },
  ],
  outputs: [
    {
      says: 'an output carries every field, non-null, of its type and in its enum',
      shownBy: [
        'outputs.test.ts: fails its node, which may run again, and is not taken',
        'tools.test.ts: what a tool prints that is no object is its result, which must fit the schema',
      ],
    },
    {
      says: 'model nodes note with what they were made',
      shownBy: ['outputs.test.ts: an agent’s output says with what it was made, which a model cannot write'],
    },
    {
      says: 'publish keeps the output in versions',
      shownBy: ['tools.test.ts: what is published is read, in the version that was published last'],
    },
    {
      says: 'a judge’s verdict is an output',
      shownBy: ['tools.test.ts: a judge gives a verdict by its schema, and edges go by it'],
    },
  ],
  pauses: [
    {
      says: 'answers become the output of the person’s node',
      shownBy: [
        'outputs.test.ts: what a person fills in is the output of their node, in the types of its schema',
      ],
    },
    {
      says: 'several questions are open at once and answered in any order',
      shownBy: ['questions.test.ts: R13.12: are answered in any order, over any crash'],
    },
    {
      says: 'a node waits for answers to what agents asked without waiting',
      shownBy: [
        'questions.test.ts: goes on with all of them, answered in any order, over any crash',
        'questions.test.ts: waits as long as its time lasts',
      ],
    },
    {
      says: 'silence answers nothing',
      shownBy: [
        'questions.test.ts: wait as long as nobody answers',
        'permissions.test.ts: silence allows nothing',
      ],
    },
    {
      says: 'a model may answer in the person’s stead, or hand on',
      shownBy: ['questions.test.ts: opens no pause', 'questions.test.ts: hands on to the person'],
    },
    {
      says: 'done ends the run well, fail with its code',
      shownBy: [
        'edges.test.ts: `done` says the reply that no pause would show, and `fail` ends with its code',
        'branches.test.ts: a `fail` that is come to ends the run, since all must succeed',
      ],
    },
    {
      says: 'a tool whose outcome is unknown is handed to a person, an idempotent one runs again',
      shownBy: [
        'tools.test.ts: a tool runs once for each turn, or is handed to a person',
        'tools.test.ts: an idempotent tool runs again by itself, and what follows from it is the same',
      ],
    },
  ],
  budget: [
    {
      says: 'four fifths are told once, and from nine tenths on no node starts until a person allows more',
      shownBy: [
        'operating.test.ts: that nobody raises keeps the run where it is',
        'operating.test.ts: that is used up lets no further node start until a person allows more',
      ],
    },
    {
      says: 'a limit is raised by a command',
      shownBy: ['operating.test.ts: of the whole conversation is raised by a command, and then resumed'],
    },
    {
      says: 'a round that cannot be afforded is not begun, and what leads out may use a tenth more',
      shownBy: [`${BUDGET}: R13.21: lets what leads out use ten percent more than the limit, and no more`],
    },
  ],
};
