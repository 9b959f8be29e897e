// What an exercise's box says of the class: until when, and what of it was handed in.
import {say} from '../words/say.js';

// `version`: of the text that is in the file now.
export function classWords({labs, free_days: free, handed_in: handedIn}, id, version) {
  const {due, due_words: dueWords, free_days: taken} = labs[id.split('/')[0]] ?? {};
  const mine = handedIn[id];
  const words = [];
  if (dueWords) words.push(`${say('Due')} ${dueWords}.`);
  if (mine) {
    words.push(`${say('Handed in')} ${mine.words}.`);
    if (due && mine.at > due) words.push(say('That was late.'));
    if (taken > 0) words.push(`${say('Free days that this lab takes:')} ${taken}.`);
    if (mine.version !== version) words.push(say('The text here is another one by now.'));
  } else {
    words.push(say('Not handed in.'));
  }
  if (dueWords && free?.in_all > 0)
    words.push(`${say('Free late days left:')} ${free.left}/${free.in_all}.`);
  return words.join(' ');
}
