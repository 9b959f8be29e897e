// Why something could not be done, in words.
import {say} from '../words/say.js';

const WHY = {
  lost: () =>
    say(
      'The connection is lost. What you type stays on this page and is saved when the server is back.',
    ),
  key: () => say('The key is not valid any more. Open the address that the server printed.'),
  unknown: () => say('You are not on the list of this class. Ask your instructor.'),
  often: () => say('Too much was asked at once. Try again in a moment.'),
  busy: () => say('Another grading or run of yours is under way.'),
  full: () => say('The disk is full: your text is not saved. Make room and type on.'),
  not_written: () => say('The file cannot be written. May you write in labs/?'),
  missing: () => say('The file is not there. Reset brings it back as it began.'),
  not_plain: () => say('In its place there is a link, or no file.'),
  too_large: () => say('The file is too large for this page.'),
  not_text: () => say('The file is not UTF-8 text.'),
  size: () => say('The text is too large to be saved.'),
};

export const inWords = (why) => (WHY[why] ?? (() => say('The server refused it.')))();
