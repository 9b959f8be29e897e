// The packaged extension, as Visual Studio Code loads it, with a stand-in for the editor: it starts `course lsp`, and what that
// finds in a file reaches the editor's diagnostics, hints and commands.
//
//   node editors/vscode/test.mjs EXTENSION COURSE FILE LINE
//
// EXTENSION: the folder extension/ of the .vsix; COURSE: the program; FILE: a .cu file, whose line LINE has conflicts.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import Module, {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const [extension, course, file, line] = process.argv.slice(2);

const disposable = {dispose() {}};
const event = () => disposable;
class Position {
  constructor(row, character) {
    Object.assign(this, {line: row, character});
  }
}
class Range {
  constructor(...ends) {
    [this.start, this.end] =
      ends.length === 2 ? ends : [new Position(ends[0], ends[1]), new Position(ends[2], ends[3])];
  }
}
class InlayHint {
  constructor(position, label) {
    Object.assign(this, {position, label});
  }
}
class EventEmitter {
  event = event;
  fire() {}
  dispose() {}
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, {range, message, severity});
  }
}
const uri = (text) => ({
  toString: () => text,
  fsPath: new URL(text).pathname,
  path: new URL(text).pathname,
  scheme: 'file',
});
const document = {
  uri: uri(pathToFileURL(file).href),
  languageId: 'cuda-cpp',
  version: 1,
  getText: () => readFileSync(file, 'utf8'),
};

// What the extension gave the editor.
const given = {commands: new Map(), providers: {}};
const diagnostics = new Promise((come) => (given.diagnostics = come));
const register = (name) => (_, provider) => {
  given.providers[name] = provider;
  return disposable;
};

// Whatever nobody below has named is a class, an event or a function that does nothing.
const anything = (known) =>
  new Proxy(known, {
    get: (of, name) => {
      if (name in of || typeof name === 'symbol') return of[name];
      if (/^onD|^onW/.test(name)) return event;
      if (/^[A-Z]/.test(name)) return class {};
      return () => disposable;
    },
  });
const channel = anything({append() {}, appendLine() {}, show() {}});
const vscode = anything({
  version: '1.90.0',
  Position,
  Range,
  EventEmitter,
  InlayHint,
  Diagnostic,
  Uri: {parse: uri, file: (path) => uri(pathToFileURL(path).href)},
  DiagnosticSeverity: {Error: 0, Warning: 1, Information: 2, Hint: 3},
  CancellationTokenSource: class {
    token = {isCancellationRequested: false, onCancellationRequested: event};
    cancel() {}
    dispose() {}
  },
  env: anything({language: 'en', appName: 'stand-in'}),
  window: anything({
    createOutputChannel: () => channel,
    visibleTextEditors: [],
    tabGroups: {all: [], onDidChangeTabs: event, onDidChangeTabGroups: event},
  }),
  commands: anything({
    registerCommand: (name, call) => {
      given.commands.set(name, call);
      return disposable;
    },
  }),
  workspace: anything({
    textDocuments: [document],
    notebookDocuments: [],
    workspaceFolders: undefined,
    getConfiguration: () => ({
      get: (name, otherwise) => (name === 'command' ? course : (otherwise ?? undefined)),
    }),
  }),
  languages: anything({
    match: () => 10,
    createDiagnosticCollection: () => ({
      set: (at, found) => at.toString() === document.uri.toString() && given.diagnostics(found),
      delete() {},
      clear() {},
      dispose() {},
    }),
    registerInlayHintsProvider: register('hints'),
    registerHoverProvider: register('hover'),
    registerCodeActionsProvider: register('actions'),
  }),
});

const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
const {activate, deactivate} = createRequire(import.meta.url)(join(extension, 'extension.js'));

await activate({subscriptions: []});
const found = await diagnostics;
assert.equal(found.length, 1);
assert.equal(found[0].range.start.line + 1, Number(line));
assert.match(found[0].message, /^conflicts: 31 per request/);
assert.equal(found[0].severity, vscode.DiagnosticSeverity.Warning);
assert.deepEqual([...given.commands.keys()].filter((name) => name.startsWith('course.')).sort(), [
  'course.grade',
  'course.hint',
  'course.run',
]);
assert.deepEqual(Object.keys(given.providers).sort(), ['actions', 'hints', 'hover']);
const never = {isCancellationRequested: false, onCancellationRequested: event};
const hints = await given.providers.hints.provideInlayHints(
  document,
  new Range(0, 0, 99, 0),
  never,
);
const hint = hints.find(({position}) => position.line + 1 === Number(line));
assert.equal(hint.label, '31 conflicts, 4 sectors per request');
await deactivate();
console.log('the extension shows what course lsp finds');
