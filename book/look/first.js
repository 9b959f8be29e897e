// Before anything is drawn: the chosen colours, and on the first visit the language that the browser asks for.
try {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  const others = [...document.querySelectorAll('link[hreflang]')];
  if (others.length > 0 && !localStorage.getItem('language')) {
    const isHere = (one) => one === 'en' || others.some((link) => link.hreflang.startsWith(one));
    const asked = navigator.languages.map((one) => one.slice(0, 2)).find(isHere);
    if (asked && asked !== 'en')
      location.replace(others.find((link) => link.hreflang.startsWith(asked)).href + location.hash);
  }
} catch {
  /* a page from a file may have no storage */
}
