import {say} from '../words/say.js';

// A button on each quoted file and command that copies its text.
export function copyButtons() {
  document.querySelectorAll('figure.code pre, .exercise pre').forEach((pre) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = say('Copy');
    button.addEventListener('click', async () => {
      const text =
        [...pre.querySelectorAll('.line')].map((line) => line.textContent).join('\n') + '\n';
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        return;
      }
      button.textContent = say('Copied');
      setTimeout(() => {
        button.textContent = say('Copy');
      }, 1500);
    });
    pre.parentElement.append(button);
  });
}
