import { type BundleCode, manifest, preset, unseen } from './bundle-code.ts';

/** What is said of files that cannot be read, or not be taken as they are. */
export const BUNDLE_FILES: readonly BundleCode[] = [
  unseen('error', 'E006', {
    meaning: 'a file of a bundle that is not UTF-8 text',
    mend: 'save the file as UTF-8',
  }),
  manifest(
    'error',
    'H201',
    {
      meaning: 'a manifest that is not valid YAML',
      mend: 'mend the YAML at the place that the message names; aliases must not unfold without end',
    },
    'name: [talk\n',
    'name: talk\n',
  ),
  manifest(
    'error',
    'H202',
    {
      meaning: 'a key that a manifest does not have',
      mend: 'correct the spelling of the key, or take it out',
    },
    'nmae: talk\n',
    'name: talk\n',
  ),
  manifest(
    'error',
    'H203',
    {
      meaning: 'a value that a manifest’s key does not take',
      mend: 'write a value of the kind that the message names',
    },
    'tags: talk\n',
    'tags: [talk]\n',
  ),
  unseen('error', 'H204', {
    meaning: 'a packed bundle that cannot be unpacked, or has no main.bot at its top',
    mend: 'pack the bundle anew as tar.gz or zip, from inside its directory',
  }),
  unseen('error', 'H205', {
    meaning:
      'an entry of a packed bundle that must not become a file: a path that leads out, a link, a device',
    mend: 'pack only plain files, with paths below the bundle',
  }),
  unseen('error', 'H206', {
    meaning: 'two entries of a packed bundle with one name, or names that some disks do not tell apart',
    mend: 'rename one of the files and pack the bundle anew',
  }),
  unseen('error', 'H207', {
    meaning: 'a packed bundle that is too large, has too many entries, or unfolds to far more than it weighs',
    mend: 'take out what the bot does not need',
  }),
  manifest(
    'error',
    'H208',
    {
      meaning:
        'a file of a bundle that cannot be used: missing, no plain file, too large, or outside the bundle',
      mend: 'put a plain file at that place inside the bundle',
    },
    'attachments:\n  logo: ../logo.png\n',
    'attachments: {}\n',
  ),
  preset(
    'error',
    'H209',
    {
      meaning: 'a preset whose front matter cannot be read',
      mend: 'write `var: value` lines between two lines of `---`, each var once, or leave all of it out',
    },
    '---\ncount: [1\n---\n',
    '---\ncount: 1\n---\n',
  ),
  unseen('warning', 'H210', {
    meaning: 'a preset that one of its name in the graph comes before',
    mend: 'take one of them out, or rename the file',
  }),
];
