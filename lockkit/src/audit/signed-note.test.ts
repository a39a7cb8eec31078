import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeCheckpoint, parseCheckpoint } from './checkpoint.js';
import { encodeVerifierKey, noteVerifier, openNote, parseVerifierKey, signNote } from './signed-note.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const verifier = noteVerifier('example.com/log', publicKey);

describe('openNote', () => {
  test('opens the example of the form’s own documentation', () => {
    const known = parseVerifierKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
    const note =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
    expect(known).not.toBeNull();
    expect(known && openNote(note, known)?.startsWith('If you think')).toBe(true);
  });

  test('refuses a changed text, another key and what is no note', () => {
    const note = signNote('one\ntwo\n', verifier, privateKey);
    expect(openNote(note, verifier)).toBe('one\ntwo\n');
    expect(openNote(note.replace('two', 'six'), verifier)).toBeNull();
    expect(
      openNote(note, noteVerifier('example.com/log', generateKeyPairSync('ed25519').publicKey)),
    ).toBeNull();
    expect(openNote(note, noteVerifier('example.com/other', publicKey))).toBeNull();
    for (const text of ['', '\n\n', 'one\n', `${note}x`, note.trimEnd()])
      expect(openNote(text, verifier)).toBeNull();
  });
});

describe('parseVerifierKey', () => {
  test('reads back what encodeVerifierKey wrote, and nothing else', () => {
    const text = encodeVerifierKey(verifier);
    expect(parseVerifierKey(text)?.keyId).toEqual(verifier.keyId);
    for (const bad of ['', 'a', text.replace('+', '-'), `${text}AAAA`, text.replace(/\+[0-9a-f]/, '+z')]) {
      expect(parseVerifierKey(bad)).toBeNull();
    }
  });
});

describe('parseCheckpoint', () => {
  test('gives the head that was signed', () => {
    const head = { seq: 12, hash: 'ab'.repeat(32) };
    const note = encodeCheckpoint(head, verifier, privateKey);
    expect(note.split('\n').slice(0, 2)).toEqual(['example.com/log', '12']);
    expect(parseCheckpoint(note, verifier)).toEqual(head);
  });

  test('refuses a signed note that is no checkpoint of this log', () => {
    for (const text of ['other\n1\nAAAA\n', 'example.com/log\n01\nAAAA\n', 'example.com/log\n1\n']) {
      expect(parseCheckpoint(signNote(text, verifier, privateKey), verifier)).toBeNull();
    }
  });
});
