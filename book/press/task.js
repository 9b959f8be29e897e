// The head of an exercise's file: its title and its task.

// Title and task from the comment that a lab's file begins with.
export function taskOf(text, id) {
  const head = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('//')) break;
    head.push(line.slice(2).trim());
  }
  const [first, ...rest] = head;
  if (!first?.startsWith(`${id}: `))
    throw new Error(`the first line of ${id} should be "// ${id}: title"`);
  const task = rest
    .filter((line) => !line.startsWith('./course'))
    .join('\n')
    .trim()
    .split(/\n{2,}/)
    .map((one) => one.replaceAll('\n', ' '));
  return {title: first.slice(id.length + 2), task};
}

// What C++ in a hint looks like: subscripts, calls, CUDA's words. An assignment does not go on in the next paragraph.
const CODE =
  /`[^`]+`|&?\b(?:float |const |extern )*\w+(?:\[[^\]\n]+\])+(?: = (?:(?!\n\n)[^;])+;)?|\b__\w+(?:\(\))?|\b(?:thread|block)(?:Idx|Dim)\.[xyz]|\bfor \([^)]*\)|\b(?:\w+\.)*\w+\(\)/g;
export const codeMarked = (text) => text.replace(CODE, (code) => `\`${code.replace(/`/g, '')}\``);
