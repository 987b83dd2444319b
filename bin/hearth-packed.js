#!/usr/bin/env node
// The `hearth` of the published package, where it takes the place of `hearth.js`: no other Node came along to hand over
// to. Any Node from 12 on can read this file, so that an old one tells what it lacks instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  import('../packages/cli/main.js')
    .then(({ main }) => main())
    .catch(error => {
      console.error(
        `hearth: The installation is damaged (${error.message}): run "npm install --global @hearth-bots/hearth" again.`,
      );
      process.exit(4);
    });
} else {
  console.error(
    `hearth: Node ${process.versions.node} is too old, since Hearth needs Node 22.18 or newer: install a newer Node, look that "node --version" shows it, and run hearth again.`,
  );
  process.exit(4);
}
