// Every npm script starts here. `npm ci` installs Node 24 beside the project and npm puts it first on the
// path; with install scripts disabled the machine's own Node silently stays, so say so in one line instead.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 2)) {
  console.error(
    `Hearth needs Node 24.2 or newer to run from source and this is ${process.versions.node}: run "npm ci" with install scripts allowed, which brings Node 24 with it.`,
  );
  process.exit(4);
}
