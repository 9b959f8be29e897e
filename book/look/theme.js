import {say} from '../words/say.js';

// Light or dark: the reader's choice, kept in the browser; else what the system says.
export function theme(button) {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);
  const show = () => {
    button.textContent = isDark() ? say('Light') : say('Dark');
    button.setAttribute(
      'aria-label',
      isDark() ? say('Use the light theme') : say('Use the dark theme'),
    );
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', root.dataset.theme);
    } catch {
      /* a page from a file may have no storage */
    }
    show();
  });
  system.addEventListener('change', show);
  show();
}
