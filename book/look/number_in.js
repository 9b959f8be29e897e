// The number that a reader means: 12.5, 12,5, 1,024, 1/8, 12.5 %, and all of these in wide digits. For an answer in percent, what
// is written as a fraction, or is below one with a point, is a share of one. Undefined if it is not a number.
export function numberIn(text, unit) {
  const typed = text
    .normalize('NFKC')
    .replace(/\s+/g, '')
    .replace(/[，､、]/g, ',')
    .replace(/[。．]/g, '.');
  const [, from, over, percent] = /^([-+]?[\d.,]+)(?:\/([\d.,]+))?(%?)$/.exec(typed) ?? [];
  const plain = (digits) =>
    /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(digits)
      ? Number(digits.replaceAll(',', ''))
      : Number(digits.replace(',', '.'));
  if (from === undefined) return undefined;
  const value = plain(from) / (over === undefined ? 1 : plain(over));
  if (!Number.isFinite(value)) return undefined;
  if (unit !== '%') return percent ? value / 100 : value;
  const isShare = !percent && (over !== undefined || (Math.abs(value) < 1 && /[.,]/.test(from)));
  return isShare ? 100 * value : value;
}
