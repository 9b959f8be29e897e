// One exercise's box on a page: its editor, its buttons, and what came of them.
import {element as e, escape} from '../drawing/html.js';
import {say} from '../words/say.js';
import {ask, language} from './ask.js';
import {button} from './button.js';
import {compared, Editor} from './editor.js';
import {inWords} from './refusals.js';
import {classWords} from './class_words.js';
import {headOf, marksOf, terminal} from './report.js';
import {shown} from './under_way.js';

const SAVE_AFTER = 400; // milliseconds without a key

const boxHtml = (id) =>
  e(
    'div',
    {class: 'live', role: 'group', 'aria-label': `${say('Your file')} labs/${id}.cu`},
    e(
      'p',
      {class: 'live-file'},
      e('code', {}, `labs/${escape(id)}.cu`),
      ' ',
      e('span', {class: 'live-state', role: 'status'}),
    ),
    e('div', {class: 'live-other', hidden: true}),
    e('div', {class: 'live-editor'}),
    e(
      'div',
      {class: 'live-bar'},
      button('grade', say('Grade'), 'Ctrl-Enter'),
      button('stop', say('Stop')),
      button('hint', say('Hint')),
      button('diff', say('What I changed')),
      button('history', say('History')),
      button('reset', say('Reset')),
      button('next', say('Next exercise')),
      button('hand_in', say('Hand in')),
    ),
    e('p', {class: 'live-class', role: 'status', hidden: true}),
    e('p', {class: 'live-progress', role: 'status'}),
    e('div', {class: 'live-result'}),
  );

export class Box {
  // `goNext`: leads to the exercise that is next; `solved` is told after a verdict.
  constructor(section, id, {goNext, solved}) {
    this.id = id;
    this.version = ''; // of the file, as far as this page knows
    this.goNext = goNext;
    this.solved = solved;
    section.classList.add('is-live');
    section.insertAdjacentHTML('beforeend', boxHtml(id));
    this.place = section.querySelector('.live');
    this.editor = new Editor(this.part('editor'), {
      label: `${say('Your file')} labs/${id}.cu`,
      onChange: () => this.typed(),
      onGrade: () => this.grade(),
    });
    this.isGrading(false);
    this.button('hand_in').hidden = true;
    this.place.addEventListener('click', ({target}) => {
      const name = target.closest('button')?.dataset.does;
      if (name) this.does(name);
    });
  }

  part(name) {
    return this.place.querySelector(`.live-${name}`);
  }
  button(name) {
    return this.place.querySelector(`[data-does=${name}]`);
  }
  say(name, words) {
    const part = this.part(name);
    if (part.textContent !== words) part.textContent = words;
  }

  async does(name) {
    const actions = {
      grade: () => this.grade(),
      stop: () => ask('stop'),
      next: () => this.goNext(this.id),
      reset: () => this.reset(),
      hand_in: () => this.handIn(),
      mine: () => this.choose('mine'),
      theirs: () => this.choose('theirs'),
    };
    try {
      await (actions[name] ?? (() => this.tell(name)))();
    } catch (error) {
      this.say('progress', inWords(error.facts?.why ?? error.why));
    }
  }

  // The newest version that it has been told of: the server answers a page at once that does not know the newest, and the one
  // of two texts that somebody has yet to choose from is known.
  get known() {
    return this.other?.version ?? this.version;
  }

  // What is typed is saved a moment later, one save after the other.
  typed() {
    this.isDirty = true;
    this.editor.mark([]);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), SAVE_AFTER);
  }

  // Whether the file has the text that is here.
  async save() {
    clearTimeout(this.timer);
    while (this.saving) await this.saving;
    if (!this.isDirty || this.other !== undefined) return !this.isDirty;
    this.saving = this.saveOnce().finally(() => (this.saving = undefined));
    return this.saving;
  }

  async saveOnce() {
    const text = this.editor.text();
    this.isDirty = false;
    try {
      const {version} = await ask('save', {exercise: this.id, text, base: this.version});
      this.version = version;
      if (this.ofClass) this.isOfClass(this.ofClass);
      this.say('state', say('Saved'));
      return true;
    } catch (error) {
      this.isDirty = true;
      if (error.status === 409 && error.facts.text !== undefined) this.differ(error.facts);
      else this.say('state', inWords(error.facts?.why ?? error.why));
      return false;
    }
  }

  // The server's text, where it is another one than this page knew.
  came({text, version, why}) {
    if (why) {
      this.version = version;
      this.say('state', inWords(why));
      return;
    }
    if (this.saving) return;
    const isOurs = version === this.version; // a change that was taken back
    if (!isOurs && this.isDirty && text !== this.editor.text()) {
      this.differ({text, version});
      return;
    }
    this.noOther();
    if (isOurs) return;
    this.version = version;
    this.isDirty = false;
    this.editor.show(text);
    if (this.ofClass) this.isOfClass(this.ofClass);
    this.say('state', '');
  }

  noOther() {
    if (this.other === undefined) return;
    this.other = undefined;
    this.part('other').hidden = true;
  }

  // Both have written: nothing is lost, and somebody says which text it is to be.
  differ({text, version}) {
    if (this.other?.version === version) return;
    this.other = {text, version};
    const place = this.part('other');
    place.hidden = false;
    place.innerHTML =
      e(
        'p',
        {role: 'alert'},
        say(
          'The file was changed outside of this page while you typed here. Which text is it to be? The other one is kept.',
        ),
      ) +
      e('div', {class: 'live-compared'}) +
      e(
        'p',
        {class: 'live-bar'},
        button('mine', say('Keep what I typed here')),
        button('theirs', say('Take the text of the file')),
      );
    compared(
      place.querySelector('.live-compared'),
      this.editor.text(),
      text,
      say('What you typed here, beside the text of the file'),
    );
    this.say('state', say('Not saved'));
  }

  async choose(which) {
    const {text, version} = this.other;
    const mine = this.editor.text();
    const {kept} = await ask('keep', {exercise: this.id, text: which === 'mine' ? text : mine});
    this.other = undefined;
    const place = this.part('other');
    this.version = version;
    if (which === 'theirs') {
      this.isDirty = false;
      this.editor.show(text);
    } else {
      this.isDirty = true;
      await this.save();
    }
    if (this.other !== undefined) return;
    place.innerHTML = e('p', {}, `${say('The other text is kept:')} `, e('code', {}, escape(kept)));
    this.editor.focus();
  }

  async grade() {
    try {
      if (!(await this.save())) return;
      this.graded = this.editor.text();
      await ask('grade', {exercise: this.id, language: language()});
      this.say('progress', say('Grading'));
    } catch (error) {
      this.say('progress', inWords(error.facts?.why ?? error.why));
    }
  }

  // `of`: what the server says of the class: deadlines, and what was handed in.
  isOfClass(of) {
    this.ofClass = of;
    this.button('hand_in').hidden = false;
    const words = classWords(of, this.id, this.version);
    this.part('class').hidden = words === '';
    this.say('class', words);
  }

  async handIn() {
    if (!(await this.save())) return;
    this.isOfClass(await ask('hand_in', {exercise: this.id}));
  }

  isGrading(grading) {
    this.clock = shown(grading, this.place, 'grade', this.clock);
    if (!grading) this.say('progress', '');
  }

  result(facts) {
    this.turn = (this.turn ?? 0) + 1;
    const {kind, words} = headOf(facts);
    const report = facts.stopped ? '' : facts.report;
    this.part('result').innerHTML =
      e('p', {class: `live-head ${kind}`, role: 'status'}, escape(words)) +
      (report.trim() ? terminal(report, say('report')) : '');
    const isSame = this.graded === undefined || this.graded === this.editor.text();
    if (facts.not_kept)
      this.say('progress', say('The disk is full: this attempt is not remembered.'));
    this.editor.mark(isSame ? marksOf(facts.verdict) : []);
    if (facts.verdict?.verdict === 'passed') this.solved();
  }

  async tell(command, number = 0) {
    if (command === 'diff') await this.save();
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const {text} = await ask('tell', {command, exercise: this.id, language: language(), number});
    if (turn !== this.turn) return; // something else was asked meanwhile
    this.part('result').innerHTML = terminal(text, say('answer'));
    this.part('result').querySelector('pre').focus({preventScroll: true});
  }

  async reset() {
    if (!(await this.save())) return;
    await this.tell('reset');
  }
}
