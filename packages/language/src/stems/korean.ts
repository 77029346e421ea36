/** Particles and endings that are written in one word with what they follow, the longest first. */
const ENDINGS = (
  "으로부터 이었습니다 에서부터 하였습니다 되었습니다 으로서의 에서는 에서의 에서도 에게서 이라는 이라고 까지는 까지의 으로서 으로써 으로는 " +
  "으로의 이었다 하였다 되었다 했습니다 됐습니다 인가요 입니까 입니다 합니다 됩니다 했는가 하는가 되는가 했던 하던 하는 하고 하여 하며 했다 한다 " +
  "하기 하게 해서 되는 되어 되고 됐다 된다 에서 에게 한테 부터 까지 으로 로서 로써 로는 로의 와의 과의 와는 과는 에는 에도 에만 라는 라고 처럼 보다 " +
  "마다 조차 이나 이란 이며 이고 이다 였다 인가 들은 들이 들을 들의 들에 한 할 함 해 된 될 됨 은 는 이 가 을 를 의 에 로 와 과 도 만 나 란 들"
)
  .split(" ")
  .toSorted((one, other) => other.length - one.length);

/** A Korean word without its particles, at most two in a row; two syllables stay. */
export function stemKorean(word: string): string {
  const once = withoutEnding(word);
  return once === word ? word : withoutEnding(once);
}

function withoutEnding(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= 2);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
