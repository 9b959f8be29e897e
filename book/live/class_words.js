// What an exercise's box says of the class: until when, and what of it was handed in.
import {say} from '../words/say.js';

// `version`: of the text that is in the file now.
export function classWords({labs, handed_in: handedIn}, id, version) {
  const {due, due_words: dueWords} = labs[id.split('/')[0]] ?? {};
  const mine = handedIn[id];
  const words = [];
  if (dueWords) words.push(`${say('Due')} ${dueWords}.`);
  if (mine) {
    words.push(`${say('Handed in')} ${mine.words}.`);
    if (due && mine.at > due) words.push(say('That was late.'));
    if (mine.version !== version) words.push(say('The text here is another one by now.'));
  } else {
    words.push(say('Not handed in.'));
  }
  return words.join(' ');
}
