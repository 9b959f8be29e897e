// On a chapter's page: beside what is quoted of a whole program, or of its run, the way to try it in the playground.
import {element as e} from '../drawing/html.js';
import {say} from '../words/say.js';

const programOf = (text) => /\blabs\/(\w+)\/demo\/(\w+)\.cu\b/.exec(text)?.slice(1).join('/');

const link = (id) =>
  e('a', {class: 'to-play', href: `playground.html#program=${id}`}, say('Open in the playground'));

export function linksToPlay() {
  for (const path of document.querySelectorAll('figure.code figcaption .path')) {
    const id = programOf(path.textContent);
    if (id) path.parentElement.insertAdjacentHTML('beforeend', link(id));
  }
  for (const command of document.querySelectorAll('figure.terminal .command')) {
    const id = programOf(command.textContent);
    if (id && command.textContent.startsWith('./course run '))
      command.closest('figure').insertAdjacentHTML('beforeend', e('figcaption', {}, link(id)));
  }
}
