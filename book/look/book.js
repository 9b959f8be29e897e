// The page's script. Without it the book reads the same: widgets show their first state, answers are folded.
import {mount} from '../widgets/frame/frame.js';
import {widgets} from '../widgets/all.js';
import {copyButtons} from './copy.js';
import {questions} from './questions.js';
import {searchBox} from './search_box.js';
import {staysInPlace} from './language.js';
import {followsMoved} from './moved.js';
import {theme} from './theme.js';
import {pagerKeys, sectionInSight} from './walk.js';

followsMoved();
document
  .querySelectorAll('[data-widget]')
  .forEach((place, number) => mount(widgets[place.dataset.widget], place, number));
theme(document.querySelector('button.theme'));
questions();
copyButtons();
searchBox(document.querySelector('.search'));
staysInPlace();
pagerKeys();
sectionInSight();

// On paper everything is open, but for hints; afterwards it is as it was.
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not(.menu, .hint, [open])')];
  for (const one of opened) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of opened) one.open = false;
});
