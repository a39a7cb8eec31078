//! What the author of a lockfile plugin needs, in one file: the file on fd 3, the answer, the typed values on fd 6,
//! the detail on fd 7. Standard library only; build with `-C target-feature=+crt-static`, a dynamic program is refused.
//! Every way out that is not `answer` ends with a status other than 0, so that a panic never reads as an answer.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use std::os::unix::io::FromRawFd;

pub const MAX_DETAIL_BYTES: usize = 4096;
const MAX_INPUTS_BYTES: usize = 16384;

/// The file, read-only, at its start. It can be seeked; it has no path.
pub fn file() -> ManuallyDrop<File> {
    // SAFETY: the sandbox always gives fd 3, and nothing else here owns it.
    ManuallyDrop::new(unsafe { File::from_raw_fd(3) })
}

/// The one answer: 1 or 0. Never returns.
pub fn answer(bit: bool) -> ! {
    let written = std::io::stdout().write_all(if bit { b"1" } else { b"0" });
    if written.is_err() || std::io::stdout().flush().is_err() {
        fail()
    }
    std::process::exit(0)
}

/// "No answer": the agent gets plugin_error, which is not a 0. For an input that the question does not fit.
pub fn fail() -> ! {
    std::process::exit(2)
}

/// Writes the human-only detail (protocol 2 with detail = true): its first 4 KiB. Call it once.
pub fn detail(text: &str) {
    // SAFETY: a plugin whose manifest says detail = true has a pipe at fd 7.
    let mut pipe = ManuallyDrop::new(unsafe { File::from_raw_fd(7) });
    let _ = pipe.write_all(&text.as_bytes()[..text.len().min(MAX_DETAIL_BYTES)]);
}

/// The values the human typed, by input name. Fails when they cannot be read.
pub fn inputs() -> BTreeMap<String, String> {
    let mut json = Vec::new();
    // SAFETY: a plugin with inputs has its sealed values at fd 6.
    let source = ManuallyDrop::new(unsafe { File::from_raw_fd(6) });
    let read = (&*source).take(MAX_INPUTS_BYTES as u64 + 1).read_to_end(&mut json);
    if read.is_err() || json.len() > MAX_INPUTS_BYTES {
        fail()
    }
    parse_inputs(&json).unwrap_or_else(|| fail())
}

/// `{"name":"value",…}` in canonical JSON; `None` for anything else.
fn parse_inputs(json: &[u8]) -> Option<BTreeMap<String, String>> {
    let text = std::str::from_utf8(json).ok()?;
    let mut rest = text.strip_prefix('{')?;
    let mut values = BTreeMap::new();
    if rest == "}" {
        return Some(values);
    }
    loop {
        let (name, after) = parse_string(rest)?;
        let (value, after) = parse_string(after.strip_prefix(':')?)?;
        values.insert(name, value);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None => return (after == "}").then_some(values),
        }
    }
}

fn parse_string(text: &str) -> Option<(String, &str)> {
    let body = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = body.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &body[at + 1..])),
            '\\' => value.push(parse_escape(&mut chars)?),
            c if (c as u32) < 0x20 => return None,
            c => value.push(c),
        }
    }
    None
}

/// Canonical JSON writes `\u` only for controls that have no short form.
fn parse_escape(chars: &mut std::str::CharIndices) -> Option<char> {
    match chars.next()?.1 {
        c @ ('"' | '\\' | '/') => Some(c),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'u' => {
            let mut code = 0;
            for _ in 0..4 {
                code = code * 16 + chars.next()?.1.to_digit(16)?;
            }
            char::from_u32(code).filter(|c| (*c as u32) < 0x20)
        }
        _ => None,
    }
}
