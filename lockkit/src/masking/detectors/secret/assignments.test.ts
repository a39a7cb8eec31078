import { describe, expect, it } from 'vitest';
import { foundBy } from '../../test/found-by.js';

const found = (text: string): readonly string[] => foundBy(['secret'], text);

describe('assignments', () => {
  it.each([
    ['password=hunter2', 'hunter2'],
    ['Password : hunter2', 'hunter2'],
    ['{"loginId":"admin","password":"GitHub!23"}', 'GitHub!23'],
    ['{"msg":"{\\"password\\":\\"hunter2\\",\\"user\\":\\"bob\\"}"}', 'hunter2'],
    ['declare -x DB_PASS="hun\\"ter2"', 'hun\\"ter2'],
    ["password='it''s'", "it''s"],
    ["export API_TOKEN=$'abc\\x41def0123'", 'abc\\x41def0123'],
    ['DB_PASSWORD: "two words here"', 'two words here'],
    ['<password>hunter2</password>', 'hunter2'],
    ['<add key="Password" value="hunter2"/>', 'hunter2'],
    ["define('DB_PASSWORD', 'hunter2');", 'hunter2'],
    [":password => 'hunter2',", 'hunter2'],
    ['https://h/login?password=hunter2&x=1', 'hunter2'],
    ['https://h/?token=abc123def456#frag', 'abc123def456'],
    ['Server=h;Password=P@ss;word;Encrypt=True', 'P@ss;word'],
    ['AccountKey=RkFLRUZBS0VGQUtFRkFLRQ==;EndpointSuffix=y', 'RkFLRUZBS0VGQUtFRkFLRQ=='],
    ['--password hunter2 --user bob', 'hunter2'],
    ['passwd: MyP@ss:w0rd!', 'MyP@ss:w0rd!'],
    ['machine h\n login bob\n password hunter2\n', 'hunter2'],
    ['//registry.example.com/:_authToken=abcdef0123', 'abcdef0123'],
    ['"auth": "dXNlcjpodW50ZXIy"', 'dXNlcjpodW50ZXIy'],
    ['password is: hunter2', 'hunter2'],
    ['A temporary password is generated for root@localhost: Abc;123xyz', 'Abc;123xyz'],
    ['password: |\n  first line\n  second line\nnext: x', 'first line\n  second line'],
    ['"password":\n  "hunter2"', '"hunter2"'],
    ['- name: DB_PASSWORD\n  value: hunter2\n', 'hunter2'],
    [
      'PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=',
      'yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=',
    ],
    ['password: correct horse battery staple', 'correct horse battery staple'],
    ['pass\u00adword=hunter2', 'hunter2'],
    ['p\bpa\bas\bss\bs=hunter2', 'hunter2'],
    ['PATH=/bin\0DB_PASSWORD=hunter2\0HOME=/root', 'hunter2'],
    ['password="never closed', 'never closed'],
  ])('hides the value in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
  });

  it.each([
    ['Enter password:'],
    ['password=""'],
    ['password=${DB_PASSWORD}'],
    ['password: {{ db_password }}'],
    ['GITHUB_API_KEY=\nNEXT_API_KEY=\n'],
    ['password=\r\nuser=bob'],
    ['secretName: app-cert'],
    ['author = "x"'],
    ['public_key = "9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC"'],
    ['keyboard: qwerty'],
    ['token_url: https://h/oauth/token'],
    ['pam_unix: password check failed for user (bob)'],
    ['bypass: yes, compass: no'],
    ['PWD=/home/bob'],
    ['PASS: test_foo'],
    ['pass: 3, fail: 0'],
    ['invalid token: unexpected end'],
    ['max_tokens: 512'],
    ['nextPageToken: CAUQAA'],
    ['password requisite pam_unix.so'],
    ['passwd:         files systemd'],
    ['password: string'],
    ['PuttyPassword=0'],
    ['<UserSecretsId>79a3edd0-2092-40a2-a04d-dcb46d5ca9ed</UserSecretsId>'],
    ['SUMO_ACCESS_KEY: AbCeFG123'],
    ['API_KEY = "rdme_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"'],
  ])('leaves %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});
