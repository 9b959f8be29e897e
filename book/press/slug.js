// The anchor of a heading: its words, with dashes between.
export const slug = (title) =>
  title
    .toLowerCase()
    .replace(/[`*$\\]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
