// The editor of one file, and what a verdict marks in it.
import {defaultKeymap, history, historyKeymap} from '@codemirror/commands';
import {cpp} from '@codemirror/lang-cpp';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import {lintGutter, setDiagnostics} from '@codemirror/lint';
import {unifiedMergeView} from '@codemirror/merge';
import {EditorState, StateEffect, StateField, Transaction} from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view';
import {tags} from '@lezer/highlight';

// The book's own colours, so that light and dark follow the page.
const colours = HighlightStyle.define([
  {tag: tags.comment, color: 'var(--comment)', fontStyle: 'italic'},
  {tag: [tags.keyword, tags.modifier, tags.bool, tags.null], color: 'var(--word)'},
  {tag: [tags.typeName, tags.className, tags.function(tags.variableName)], color: 'var(--name)'},
  {tag: tags.number, color: 'var(--number)'},
  {
    tag: [tags.string, tags.character, tags.meta, tags.processingInstruction],
    color: 'var(--string)',
  },
]);

const endingOf = (text) => (text.includes('\r\n') ? '\r\n' : '\n');

// Words behind a line: what it costs. They are no part of the text.
class Behind extends WidgetType {
  constructor(text, more) {
    super();
    this.text = text;
    this.more = more;
  }
  eq(other) {
    return other.text === this.text && other.more === this.more;
  }
  toDOM() {
    const place = document.createElement('span');
    place.className = 'cm-behind';
    place.textContent = this.text;
    place.title = this.more;
    return place;
  }
}
const showBehind = StateEffect.define();
const behind = StateField.define({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(showBehind)) return effect.value;
    return shown.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

// `onChange` is called with what somebody typed here, `onGrade` on Ctrl-Enter.
export class Editor {
  constructor(place, {label, onChange, onGrade}) {
    this.parts = {label, onChange, onGrade};
    this.view = new EditorView({parent: place, state: this.stateOf('')});
  }

  stateOf(text, more = []) {
    const {label, onChange, onGrade} = this.parts;
    const grade = () => {
      onGrade();
      return true;
    };
    return EditorState.create({
      doc: text,
      extensions: [
        EditorState.lineSeparator.of(endingOf(text)),
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        indentOnInput(),
        indentUnit.of('  '),
        highlightActiveLine(),
        behind,
        cpp(),
        syntaxHighlighting(colours),
        keymap.of([{key: 'Mod-Enter', run: grade}, ...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({'aria-label': label, tabindex: '0'}),
        EditorView.updateListener.of((update) => {
          const typed = (one) => one.annotation(Transaction.remote) !== true;
          if (update.docChanged && update.transactions.some(typed)) onChange();
        }),
        ...more,
      ],
    });
  }

  text() {
    return this.view.state.sliceDoc();
  }

  // As it came: other changes than those in the middle of the text leave the cursor where it is.
  show(text) {
    const before = this.text();
    if (before === text) return;
    if (before === '' || endingOf(before) !== endingOf(text)) {
      this.view.setState(this.stateOf(text));
      return;
    }
    const lines = this.view.state.toText(text);
    const old = this.view.state.doc;
    const oldText = old.toString();
    const newText = lines.toString();
    let from = 0;
    const most = Math.min(oldText.length, newText.length);
    while (from < most && oldText[from] === newText[from]) ++from;
    let back = 0;
    while (
      back < most - from &&
      oldText[oldText.length - 1 - back] === newText[newText.length - 1 - back]
    )
      ++back;
    this.view.dispatch({
      changes: {
        from,
        to: oldText.length - back,
        insert: newText.slice(from, newText.length - back),
      },
      annotations: Transaction.remote.of(true),
    });
  }

  // `marks`: {line, from, to, severity, message}, where from and to are columns, or not there: all of the line. `words`: {line, text,
  // more}, to stand behind lines. Lines are those of the text that was graded.
  mark(marks, words = []) {
    const {doc} = this.view.state;
    const isHere = ({line}) => line >= 1 && line <= doc.lines;
    const diagnostics = marks.filter(isHere).map((mark) => {
      const {from, to, text} = doc.line(mark.line);
      const begin = mark.from ?? text.length - text.trimStart().length;
      return {
        from: Math.min(from + begin, to),
        to: Math.min(from + (mark.to ?? text.length), to),
        severity: mark.severity,
        message: mark.message,
      };
    });
    const behindLines = words
      .filter(isHere)
      .map(({line, text, more}) =>
        Decoration.widget({widget: new Behind(text, more), side: 1}).range(doc.line(line).to),
      );
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics), {
      effects: showBehind.of(Decoration.set(behindLines, true)),
    });
    const worst = diagnostics.find(({severity}) => severity === 'error');
    if (worst) this.view.dispatch({effects: EditorView.scrollIntoView(worst.from, {y: 'center'})});
  }

  goTo(line) {
    const {doc} = this.view.state;
    const {from} = doc.line(Math.min(line, doc.lines));
    this.view.dispatch({
      selection: {anchor: from},
      effects: EditorView.scrollIntoView(from, {y: 'center'}),
    });
    this.view.focus();
  }

  focus() {
    this.view.focus();
  }
}

// Two texts, one beside the other's changes, to be read.
export function compared(place, mine, theirs, label) {
  return new EditorView({
    parent: place,
    state: EditorState.create({
      doc: mine,
      extensions: [
        lineNumbers(),
        cpp(),
        syntaxHighlighting(colours),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({'aria-label': label, tabindex: '0'}),
        unifiedMergeView({original: theirs, mergeControls: false, gutter: true}),
      ],
    }),
  });
}
