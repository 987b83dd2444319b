import { describe, expect, it } from 'vitest';
import { parseRecording, printRecording } from './recording.ts';

const head = '{"is":"recording","format":1,"bot":"hello","backends":["rehearsal"]}';
const message = '{"is":"message","message":1,"text":"hi","delivery":"queue"}';

describe('the text of a recording', () => {
  it('is read as it was printed', () => {
    const { recording } = parseRecording(`${head}\n\n${message}\n{"is":"ended","reason":"done"}\n`);
    expect(recording?.steps.map(step => step.is)).toEqual(['message', 'ended']);
    expect(parseRecording(printRecording(recording!)).recording).toEqual(recording);
  });

  it.each([
    ['', 1, 'it is empty'],
    ['\n\n', 1, 'it is empty'],
    [`${message}\n`, 1, 'the first line must say'],
    [`${head.replace('1', '2')}\n`, 1, 'the first line must say'],
    [`${head}\nrubbish\n`, 2, 'it is no JSON'],
    [`${head}\n${message}\n{"is":"dance"}\n`, 3, 'is no step of a recording ("is" is "dance")'],
    [`${head}\n[]\n`, 2, 'it has no "is"'],
    [`${head}\n{"is":"message"}\n`, 2, 'is no step of a recording ("is" is "message")'],
  ])('%j is refused in line %i', (text, line, why) => {
    const { recording, fault } = parseRecording(text);
    expect(recording).toBeNull();
    expect(fault?.line).toBe(line);
    expect(fault?.why).toContain(why);
  });
});
