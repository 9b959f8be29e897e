// Starts `course lsp` for CUDA files, and ends it with the window. All that is shown comes from there.
const {existsSync} = require('node:fs');
const {join} = require('node:path');
const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');

let client;

// What is set, else the script of a clone that is open here, else what is installed.
function command() {
  const set = vscode.workspace.getConfiguration('course').get('command');
  if (set) return set;
  const scripts = (vscode.workspace.workspaceFolders ?? [])
    .filter(({uri}) => existsSync(join(uri.fsPath, 'grader')))
    .map(({uri}) => join(uri.fsPath, 'course'));
  return scripts.find((script) => existsSync(script)) ?? 'course';
}

async function activate() {
  const more = vscode.workspace.getConfiguration('course').get('arguments') ?? [];
  client = new LanguageClient(
    'course',
    'CUDA shared memory course',
    {command: command(), args: ['lsp', ...more]},
    {documentSelector: [{scheme: 'file', pattern: '**/*.{cu,cuh}'}]},
  );
  await client.start();
}

module.exports = {activate, deactivate: () => client?.stop()};
