// A button on each quoted file and command that copies its text.
export function copyButtons() {
  document.querySelectorAll('figure.code pre, .exercise pre').forEach((pre) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const text =
        [...pre.querySelectorAll('.line')].map((line) => line.textContent).join('\n') + '\n';
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        return;
      }
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
    pre.parentElement.append(button);
  });
}
