/** Code units up to which `includes` takes linear time: V8 prepares its search for as many. */
const SHORT = 250;

/**
 * Returns a test for whether a text contains a part, which takes time in proportion to the text, whatever the
 * part is. The search of V8 takes the product of both for a long part.
 * @param part that is not empty
 */
export function textFinder(part: string): (text: string) => boolean {
  if (part.length <= SHORT) return (text) => text.includes(part);
  const borders = bordersOf(part);
  return (text) => {
    let matched = 0;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
      if (part.charCodeAt(matched) === unit) matched++;
      if (matched === part.length) return true;
    }
    return false;
  };
}

/** Of each start of the part: how much of it is also its end (Knuth, Morris and Pratt). */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let length = 0;
  for (let index = 1; index < part.length; index++) {
    const unit = part.charCodeAt(index);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === unit) length++;
    borders[index] = length;
  }
  return borders;
}
