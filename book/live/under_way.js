// What a page shows while a grading or a run is under way, beside its Stop: its place in the queue, or for how long it is at work.
import {say} from '../words/say.js';

// `grading`: {place, seconds}, or none; `begins`: the button that began it, which takes the focus back from Stop; `clock`: what the
// last call returned.
export function shown(grading, place, begins, clock) {
  const stop = place.querySelector('[data-does=stop]');
  const progress = place.querySelector('.live-progress');
  const words = (text) => {
    if (progress.textContent !== text) progress.textContent = text;
  };
  const had = stop === document.activeElement;
  const was = place.hasAttribute('aria-busy');
  stop.disabled = !grading;
  if (had && !grading) place.querySelector(`[data-does=${begins}]`).focus();
  clearInterval(clock);
  if (!grading) {
    place.removeAttribute('aria-busy');
    if (was) words('');
    return undefined;
  }
  place.setAttribute('aria-busy', 'true');
  const since = Date.now() - grading.seconds * 1000;
  const count = () => {
    const seconds = Math.round((Date.now() - since) / 1000);
    progress.dataset.seconds = seconds > 0 ? `${seconds} s` : '';
  };
  words(
    grading.place > 0
      ? `${say('Waiting; place')} ${grading.place}`
      : say('Compiling and executing'),
  );
  count();
  return setInterval(count, 1000);
}
