// What is wrong with a manifest, as a sentence for its author. Nothing of the manifest is quoted.
import type { ManifestMistake } from './manifest.js';

const SENTENCES: Readonly<Record<ManifestMistake, string>> = {
  not_text: 'it must be UTF-8 of at most 16 KiB',
  not_toml: 'it is not valid TOML',
  unknown_key: 'it has a key that the contract does not know',
  key_of_protocol_2: 'inputs and detail need protocol = 2',
  bad_name: 'name must be words of a-z and 0-9, joined by - or ., at most 64 characters',
  bad_version: 'version must be three numbers, like "1.0.0"',
  bad_protocol: 'protocol must be 1 or 2',
  bad_question: 'question must be one visible line of at most 500 characters',
  bad_one: 'one must be one visible line of at most 500 characters',
  bad_zero: 'zero must be one visible line of at most 500 characters',
  bad_accepts: 'accepts must be a list of at most 16 media types, like "application/pdf"',
  bad_limits: 'limits are cpu_s and timeout_s (1 to 240) and memory ("1MiB" to "4GiB")',
  bad_inputs:
    'inputs are at most 4, each with its own name ([a-z0-9_]), kind (text, email, digits) and max_bytes (1 to 1024)',
  bad_detail: 'detail must be true or false',
  question_and_inputs_differ: 'each input must stand in the question as ${name}, and nothing else in ${…}',
};

export function explainMistake(mistake: ManifestMistake): string {
  return SENTENCES[mistake];
}
