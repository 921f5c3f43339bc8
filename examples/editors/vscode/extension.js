// Starts `proviso lsp` for Python files.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const settings = vscode.workspace.getConfiguration("proviso");
  const program = settings.get("program");
  client = new LanguageClient(
    "proviso",
    "Proviso",
    { command: settings.get("path"), args: ["lsp"] },
    {
      documentSelector: [{ language: "python" }],
      initializationOptions: program ? { program } : {},
    },
  );
  return client.start();
};

exports.deactivate = () => client && client.stop();
