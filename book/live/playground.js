// The playground: an editor with a whole program, which runs when somebody says so and never by itself. Its text stays in the
// browser until then; a link holds it in its fragment.
import {element as e, escape} from '../drawing/html.js';
import {say} from '../words/say.js';
import {ask, language} from './ask.js';
import {button} from './button.js';
import {Editor} from './editor.js';
import {bytesOf, fragmentOf, MOST_BYTES, textIn} from './link.js';
import {earlierTexts, keepEarlier, keepText, keptText} from './kept_texts.js';
import {marksOf, resultHtml, wordsOf} from './play_result.js';
import {inWords} from './refusals.js';
import {Steps, warpIn} from './steps.js';
import {shown} from './under_way.js';

const FIRST = `#include <cstdio>

// Each lane of a warp reads a word of its own. Change the stride.
constexpr int kStride = 2;

__global__ void strided(float* out) {
  __shared__ float words[32 * kStride];
  for (int i = threadIdx.x; i < 32 * kStride; i += 32) words[i] = i;
  __syncwarp();
  out[threadIdx.x] = words[threadIdx.x * kStride];
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  strided<<<1, 32>>>(out);
  float host[32];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("lane 31 has %g\\n", host[31]);
  cudaFree(out);
}
`;
const NAME = 'playground'; // as the server calls it, in the place of an exercise

// As the server names a text: the beginning of its SHA-256.
async function versionOf(text) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text)));
  return [...digest.subarray(0, 16)].map((one) => one.toString(16).padStart(2, '0')).join('');
}

const html = () =>
  e(
    'div',
    {class: 'live', role: 'group', 'aria-label': say('Your program')},
    e(
      'p',
      {class: 'live-file'},
      e('code', {}, 'program.cu'),
      ' ',
      e('span', {class: 'live-state', role: 'status'}),
    ),
    e('div', {class: 'live-editor'}),
    e(
      'div',
      {class: 'live-bar'},
      button('run', say('Run'), 'Ctrl-Enter'),
      button('stop', say('Stop')),
      button('link', say('Copy link')),
    ),
    e('p', {class: 'live-progress', role: 'status'}),
    e('div', {class: 'live-result'}),
  );

export class Playground {
  constructor(article) {
    this.id = NAME;
    this.programs = new Map((window.bookPrograms ?? []).map(({id, text}) => [id, text]));
    this.programs.set('first', FIRST);
    article.querySelector('.without-server').hidden = true;
    this.choice = article.querySelector('#play-program');
    article.querySelector('.play-open').hidden = false;
    article.insertAdjacentHTML('beforeend', html());
    this.place = article.querySelector('.live');
    this.editor = new Editor(this.part('editor'), {
      label: say('Your program'),
      onChange: () => this.typed(),
      onGrade: () => this.run(),
    });
    this.isGrading(false);
    this.offerEarlier();
    this.choice.addEventListener('change', () => this.choose(this.choice.value));
    this.place.addEventListener('click', ({target}) => this.clicked(target));
    addEventListener('hashchange', () => this.open());
    this.show(keptText() ?? FIRST);
    this.open();
  }

  part(name) {
    return this.place.querySelector(`.live-${name}`);
  }
  say(name, words) {
    const part = this.part(name);
    if (part.textContent !== words) part.textContent = words;
  }

  // ---- the text

  show(text) {
    this.editor.show(text);
    this.editor.mark([]);
    this.selectShown();
    keepText(text);
  }

  typed() {
    this.editor.mark([]);
    this.selectShown();
    keepText(this.editor.text());
    this.say('state', '');
  }

  // The choice says which program this is, as long as nobody has changed it.
  selectShown() {
    const text = this.editor.text();
    const id = [...this.programs].find(([, one]) => one === text)?.[0];
    const earlier = earlierTexts().findIndex((one) => one.text === text);
    this.choice.value = id ?? (earlier < 0 ? 'own' : `earlier ${earlier}`);
  }

  // Another text comes in the place of this one, which stays within reach where somebody wrote it.
  replace(text) {
    const before = this.editor.text();
    const isTheirs = before.trim() !== '' && ![...this.programs.values()].includes(before);
    if (isTheirs && before !== text) keepEarlier(before);
    this.show(text);
    this.part('result').innerHTML = '';
    this.offerEarlier();
    this.selectShown();
  }
  offerEarlier() {
    this.choice.querySelector('.earlier')?.remove();
    const all = earlierTexts();
    if (all.length === 0) return;
    const {lang} = document.documentElement;
    const options = all.map(({when}, i) =>
      e('option', {value: `earlier ${i}`}, new Date(when).toLocaleString(lang)),
    );
    this.choice.insertAdjacentHTML(
      'beforeend',
      e('optgroup', {class: 'earlier', label: say('What I had here before')}, options),
    );
  }

  choose(id) {
    const [, earlier] = /^earlier (\d+)$/.exec(id) ?? [];
    const text = earlier ? earlierTexts()[Number(earlier)]?.text : this.programs.get(id);
    if (text === undefined) return;
    this.replace(text);
    this.say('state', '');
  }

  // What the address holds: a program, or the name of one. It is taken from the address, so that what is typed then is not
  // undone when the page is loaded again.
  async open() {
    const {hash} = location;
    const id = /^#program=([\w/]+)$/.exec(hash)?.[1];
    if (!id && !/^#[zt]=/.test(hash)) return;
    history.replaceState(null, '', location.pathname);
    const text = id ? this.programs.get(id) : await textIn(hash);
    if (text === undefined) {
      this.say(
        'state',
        id
          ? say('There is no program of this name.')
          : say('This link holds no program, or only a part of one.'),
      );
      return;
    }
    this.replace(text);
    this.say('state', say('It came by a link. Nothing runs until you say so.'));
  }

  async copyLink() {
    const link = `${location.origin}${location.pathname}#${await fragmentOf(this.editor.text())}`;
    this.say('progress', '');
    try {
      await navigator.clipboard.writeText(link);
      this.say(
        'progress',
        say(
          'Copied. Whoever has the course served at the same address pastes it where addresses are typed.',
        ),
      );
    } catch {
      this.part('result').innerHTML = e(
        'p',
        {class: 'field'},
        e('label', {for: 'play-link'}, say('The link, to be copied')),
        e('input', {id: 'play-link', type: 'text', readonly: true, value: link}),
      );
      this.part('result').querySelector('input').select();
    }
  }

  // ---- the run

  async clicked(target) {
    const line = target.closest('.to-line')?.dataset.line;
    if (line) this.editor.goTo(Number(line));
    const name = target.closest('button')?.dataset.does;
    try {
      if (name === 'run' || name === 'run_warp') await this.run();
      if (name === 'stop') await ask('stop');
      if (name === 'link') await this.copyLink();
    } catch (error) {
      this.refuse(error.why);
    }
  }

  // Of a lost connection the notice above tells, as long as it is one.
  refuse(why) {
    this.say('progress', why === 'lost' ? say('The server does not answer.') : inWords(why));
  }

  async run() {
    const text = this.editor.text();
    if (bytesOf(text).length > MOST_BYTES) {
      this.say('progress', say('The program is too large: at most 200 KiB.'));
      return;
    }
    try {
      await ask('play', {text, language: language(), ...warpIn(this.part('result'))});
      this.isAwaited = true;
      this.say('progress', say('Compiling and executing'));
    } catch (error) {
      this.refuse(error.why);
    }
  }

  isGrading(grading) {
    // A server that was started again knows nothing of it.
    const isLost = this.isAwaited && !grading && this.isUnderWay;
    if (isLost) this.isAwaited = false;
    this.isUnderWay = Boolean(grading);
    this.clock = shown(grading, this.place, 'run', this.clock);
    if (isLost) this.say('progress', say('The run was lost with the server. Run it again.'));
  }

  async result(facts) {
    this.isAwaited = false;
    const text = this.editor.text();
    const isSame = (await versionOf(text)) === facts.version && text === this.editor.text();
    const hadFocus = this.part('result').contains(document.activeElement);
    this.part('result').innerHTML =
      (isSame ? '' : e('p', {class: 'remark'}, say('Of a text that has changed since.'))) +
      resultHtml(facts, isSame ? text : undefined);
    this.say('progress', '');
    const steps = this.part('result').querySelector('.play-steps');
    if (steps) new Steps(steps, facts.verdict.trace, text.split(/\r?\n/));
    if (hadFocus) steps?.querySelector('[data-does=run_warp]').focus({preventScroll: true});
    if (!isSame || facts.stopped) return;
    this.editor.mark(marksOf(facts.verdict), wordsOf(facts.verdict));
  }
}
