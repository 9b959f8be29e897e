import {say} from '../words/say.js';

// The search box. Its index is made in the browser when it is first used, so that the book works from a file.
export function searchBox(place) {
  const input = place.querySelector('input'),
    found = place.querySelector('.found');
  const {up, home} = document.body.dataset;
  let ready;
  const script = (file) =>
    new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.src = file;
      element.onload = resolve;
      element.onerror = reject;
      document.head.append(element);
    });
  const prepare = () =>
    (ready ??= script(`${home}documents.js`).then(() => script(`${up}search.js`)));
  place.hidden = false;

  const shown = ([text, isHit]) =>
    isHit ? Object.assign(document.createElement('mark'), {textContent: text}) : text;
  const show = async () => {
    const asked = input.value.trim();
    if (asked.length < 2) return void (found.hidden = true);
    await prepare();
    if (input.value.trim() !== asked) return;
    const results = window.searchBook(asked);
    found.replaceChildren(
      ...results.map((one) => {
        const link = document.createElement('a');
        link.href = home + one.address;
        link.innerHTML = `<strong></strong><span class="chapter"></span><span class="piece"></span>`;
        link.children[0].append(...one.titleParts.map(shown));
        link.children[1].textContent = one.title === one.page ? '' : one.page;
        link.children[2].append(...one.piece.map(shown));
        link.addEventListener('click', () => {
          found.hidden = true;
        });
        return link;
      }),
    );
    if (results.length === 0) found.textContent = say('Nothing found.');
    found.hidden = false;
  };
  input.addEventListener('focus', prepare);
  input.addEventListener('input', show);
  place.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      found.hidden = true;
      input.focus();
    } else if (event.key === 'ArrowDown' && links.length > 0)
      links[Math.min(at + 1, links.length - 1)].focus();
    else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus();
    else if (event.key === 'Enter' && document.activeElement === input && links[0])
      links[0].click();
    else return;
    event.preventDefault();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, select, textarea')) return;
    event.preventDefault();
    input.focus();
  });
  addEventListener('click', (event) => {
    if (!place.contains(event.target)) found.hidden = true;
  });
}
