// Starts `hearth lsp` for the editor. Everything else is the server's work, or in the JSON files beside this one.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = () => {
  const command = workspace.getConfiguration('hearth').get('command', 'hearth');
  client = new LanguageClient('hearth', 'Hearth', { command, args: ['lsp'] }, {
    documentSelector: [
      { language: 'bot' },
      { scheme: 'file', pattern: '**/prompts/*.md' },
      { scheme: 'file', pattern: '**/manifest.yaml' },
    ],
  });
  return client.start();
};

exports.deactivate = () => client?.stop();
