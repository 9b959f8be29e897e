// A button of the bar below an editor.
import {element as e} from '../drawing/html.js';

export const button = (name, words, keys) =>
  e(
    'button',
    {type: 'button', 'data-does': name, 'aria-keyshortcuts': keys && 'Control+Enter'},
    words,
    keys && [' ', e('kbd', {}, keys)],
  );
