// The known shapes of tokens, as data: how each begins, what follows, how mixed it must be, and one sample that no
// service ever issued. Read by tokens.ts. A new kind of token is a new row; the test runs every sample.
import { CLOUD_SHAPES } from './token-shapes-clouds.js';
import { FORGE_SHAPES } from './token-shapes-forges.js';
import { SERVICE_SHAPES } from './token-shapes-services.js';

export const TOKEN_SHAPES = [...FORGE_SHAPES, ...CLOUD_SHAPES, ...SERVICE_SHAPES];
