import { describe, expect, it } from 'vitest';
import { email } from './email.js';
import { foundBy } from '../test/found-by.js';

const found = (text: string): readonly string[] => foundBy(['email'], text);

describe('email', () => {
  it.each([
    ['see bob@example.org.', 'bob@example.org'],
    ['<bob.smith+tag@mail.example.co.uk>', 'bob.smith+tag@mail.example.co.uk'],
    ['user=bob@example.org;x', 'bob@example.org'],
    ["'bob@example.org'", 'bob@example.org'],
    ['bob@example.com_backup', 'bob@example.com'],
    ['"john smith"@example.org', '"john smith"@example.org'],
    ['mailto:Jane.Doe%40example.org?x', 'Jane.Doe%40example.org'],
    ['q=%22jane@example.org%22', 'jane@example.org'],
    ['jörg@müller.example', 'jörg@müller.example'],
    ['user@xn--80ak6aa92e.com', 'user@xn--80ak6aa92e.com'],
    ['alice@\u200bexample.com', 'alice@\u200bexample.com'],
    ['alice\uff20example.com', 'alice\uff20example.com'],
    ['a\u001b[1mlice@exam\u001b[0mple.com', 'a\u001b[1mlice@exam\u001b[0mple.com'],
    ['bob@163.com', 'bob@163.com'],
  ])('hides the address in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
  });

  it.each([
    ['see info@example.'],
    ['@scope/pkg@1.2.3'],
    ['pkg@1.2.3-beta.rc'],
    ['r.io/x@sha256:abcd'],
    ['getty@tty1.service'],
    ['icon@2x.png'],
    ['chacha20-poly1305@openssh.com'],
    ['git@github.com:org/repo.git'],
    ['postgres://admin:secret@db.example.com/x'],
    ['@media print'],
    ['a@@b.com@'],
  ])('leaves %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('has one normal form for both at signs and any case', () => {
    expect(email.normalise('Bob%40Example.org')).toBe(email.normalise('bob@example.ORG'));
  });
});
