// Plays one chapter: `node run.mjs CHAPTER [WORDS]`, only the scenes whose promise has these words.

import { play } from "./stage.mjs";

const { default: scenes } = await import(`./chapters/${process.argv[2]}.mjs`);
await play(scenes);
