//! Verifies receipts of Latchkey in Rust 1.85 and later: copy this file into your app. It needs the crates `ring`,
//! `base64` and `serde_json`. gates/cases.json is what it is judged by.
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64URL};
use ring::{digest, signature};
use serde_json::{Map, Value};

pub const HOUR: Millis = 3_600_000;
pub const DAY: Millis = 24 * HOUR;
const MAX_RECEIPT: usize = 16_384;
const MAX_LICENSE_KEY: usize = 120;
const LAST_SECOND: i64 = 253_402_300_799; // the end of the year 9999
const LICENSE_TYPE: &str = "license-receipt+jwt";
const TRIAL_TYPE: &str = "trial-receipt+jwt";

/// Milliseconds since 1970.
pub type Millis = i64;
pub type Object = Map<String, Value>;

/// Verifies receipts of a product, without any request.
#[derive(Clone, Debug)]
pub struct Verifier {
    pub product_id: String,
    /// The JWKS that `latchkey signing-key export` prints, shipped inside the app: one that fetches it trusts whoever
    /// answers.
    pub keys: Value,
    /// 8 to 128 printable ASCII characters without spaces, made once; None for receipts of any device.
    pub device_id: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Fetched by the app.
    Online,
    /// Handed out by the seller.
    Offline,
    Trial,
}

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct ReceiptCheck {
    /// None if the receipt is valid, otherwise the first of these:
    ///
    /// - `malformed`: it is no receipt, or not the one spelling of it
    /// - `unknown_signing_key`: none of the keys has signed it
    /// - `bad_signature`: it was changed
    /// - `wrong_product`, `wrong_key`, `wrong_device`: it is for another one
    /// - `clock_set_back`: the clock is more than a day behind `last_seen`, or behind the issue of the receipt
    /// - `expired`: it is over
    pub reason: Option<&'static str>,
    pub mode: Mode,
    /// A JSON object if the receipt is genuine: valid, `clock_set_back` or `expired`. Otherwise null.
    pub entitlement: Value,
    pub issued_at: Millis,
    pub refresh_after: Millis,
    pub expires_at: Millis,
}

impl ReceiptCheck {
    pub fn is_valid(&self) -> bool {
        self.reason.is_none()
    }

    pub fn is_genuine(&self) -> bool {
        !self.entitlement.is_null()
    }
}

impl Verifier {
    /// Verifies the receipt of a license, without any request. White space and invisible characters in it do not count.
    /// A license key may be given in any spelling that the service accepts.
    pub fn verify_receipt(
        &self,
        receipt: &str,
        license_key: Option<&str>,
        now: Millis,
        last_seen: Option<Millis>,
    ) -> ReceiptCheck {
        self.verify(receipt, LICENSE_TYPE, license_key, now, last_seen)
    }

    /// Verifies the receipt of a trial.
    pub fn verify_trial(&self, receipt: &str, now: Millis, last_seen: Option<Millis>) -> ReceiptCheck {
        self.verify(receipt, TRIAL_TYPE, None, now, last_seen)
    }

    fn verify(
        &self,
        receipt: &str,
        wanted: &str,
        license_key: Option<&str>,
        now: Millis,
        last_seen: Option<Millis>,
    ) -> ReceiptCheck {
        let receipt = unfolded(receipt);
        let Some(jws) = taken(&receipt, wanted) else { return refused("malformed") };
        let Some(key) = key_named(&jws.kid, &self.keys) else { return refused("unknown_signing_key") };
        let key = signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, key);
        if key.verify(jws.content.as_bytes(), &jws.signature).is_err() {
            return refused("bad_signature");
        }
        let claims = Value::Object(object_in(&jws.payload).unwrap_or_default());
        let entitlement = &claims["entitlement"];
        let (Some(issued_at), Some(expires_at)) = (second(&claims["iat"]), second(&claims["exp"])) else {
            return refused("malformed");
        };
        if !is_entitlement(entitlement) {
            return refused("malformed");
        }
        if claims["aud"] != self.product_id.as_str() {
            return refused("wrong_product");
        }
        if license_key.is_some_and(|key| !is_digest_of(key, &claims["key"])) {
            return refused("wrong_key");
        }
        if self.device_id.as_ref().is_some_and(|id| !is_for_device(&claims, id)) {
            return refused("wrong_device");
        }
        let latest = now.max(last_seen.unwrap_or(now)).max(issued_at);
        let reason =
            if latest - now > DAY { Some("clock_set_back") } else { (latest >= expires_at).then_some("expired") };
        let mode = match claims["mode"].as_str() {
            Some("offline") => Mode::Offline,
            Some("trial") => Mode::Trial,
            _ => Mode::Online,
        };
        let refresh_after = (issued_at + expires_at) / 2;
        ReceiptCheck { reason, mode, entitlement: entitlement.clone(), issued_at, refresh_after, expires_at }
    }
}

/// What is known of a receipt that does not count.
pub fn refused(reason: &'static str) -> ReceiptCheck {
    let entitlement = Value::Null;
    ReceiptCheck {
        reason: Some(reason),
        mode: Mode::Online,
        entitlement,
        issued_at: 0,
        refresh_after: 0,
        expires_at: 0,
    }
}

/// Reports whether a text says that it is the receipt of a trial. Its signature is not verified.
pub fn is_of_trial(receipt: &str) -> bool {
    taken(&unfolded(receipt), TRIAL_TYPE).is_some()
}

/// A receipt without white space and invisible characters, such as those with which a mail program folds a line.
pub fn unfolded(receipt: &str) -> String {
    receipt.chars().filter(|c| *c != '\u{85}' && !is_white(*c) && !is_invisible(*c)).collect()
}

/// A license key as it is sent: trimmed, and one that is too long without all that is unseen.
pub fn sent_key(typed: &str) -> String {
    let text = typed.trim_matches(is_white);
    if text.chars().count() > MAX_LICENSE_KEY { folded(text) } else { text.to_string() }
}

/// The JSON object that bytes are; None for any others.
pub fn object_in(bytes: &[u8]) -> Option<Object> {
    serde_json::from_slice(bytes).ok()
}

/// Reports whether a license covers a build that was released then: its updates had not ended before.
pub fn covers(entitlement: &Value, released_at: Option<Millis>) -> bool {
    let end = entitlement["updatesUntil"].as_str().and_then(instant);
    released_at.zip(end).is_none_or(|(released, end)| released <= end)
}

/// Reports whether a value has the members of an entitlement, in a receipt or in an answer of the service.
pub fn is_entitlement(value: &Value) -> bool {
    let texts = ["id", "productId", "status", "tierId", "tierName", "billingInterval"];
    let ends = ["currentPeriodEnd", "accessEndsAt", "updatesUntil"];
    texts.iter().all(|name| value[*name].is_string())
        && ends.iter().all(|name| value.get(name).is_none_or(Value::is_string))
        && is_device_limit(&value["deviceLimit"])
        && are_features(value.get("features"))
}

pub fn is_device_limit(value: &Value) -> bool {
    value.is_null() || value.is_i64() || value.is_u64()
}

pub fn are_features(value: Option<&Value>) -> bool {
    let is_feature = |each: &Value| each.is_boolean() || each.is_number() || each.is_string();
    value.is_none_or(|all| all.as_object().is_some_and(|own| own.values().all(is_feature)))
}

/// A receipt taken apart. Nothing in it can be trusted before its signature is verified.
struct Jws<'a> {
    kid: String,
    content: &'a str,
    payload: Vec<u8>,
    signature: Vec<u8>,
}

/// Takes a receipt apart, if its header is exactly that of a receipt of this type.
fn taken<'a>(receipt: &'a str, wanted: &str) -> Option<Jws<'a>> {
    let (content, end) = receipt.rsplit_once('.').filter(|_| receipt.len() <= MAX_RECEIPT)?;
    let (head, body) = content.split_once('.')?;
    let (header, payload, signature) = (decoded(head)?, decoded(body)?, decoded(end)?);
    let members = object_in(&header)?;
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let kid = text("kid")?.to_string();
    // A header of another length has further members, a member twice, or white space.
    let length = r#"{"alg":"ES256","kid":"","typ":""}"#.len() + kid.len() + wanted.len();
    let is_ours = text("alg") == Some("ES256") && text("typ") == Some(wanted) && header.len() == length;
    is_ours.then_some(Jws { kid, content, payload, signature })
}

/// Decodes base64url; None for an empty text and for every spelling but the one that encoding the bytes gives.
fn decoded(text: &str) -> Option<Vec<u8>> {
    BASE64URL.decode(text).ok().filter(|bytes| !bytes.is_empty())
}

fn digest_of(text: &str) -> String {
    BASE64URL.encode(digest::digest(&digest::SHA256, text.as_bytes()))
}

fn key_named(kid: &str, keys: &Value) -> Option<Vec<u8>> {
    let is_ours = |key: &&Value| {
        let may_be = |name: &str, only: &str| key.get(name).is_none_or(|value| value == only);
        key["kid"] == kid && key["crv"] == "P-256" && may_be("alg", "ES256") && may_be("use", "sig")
    };
    let key = keys["keys"].as_array()?.iter().find(is_ours)?;
    Some([vec![4], decoded(key["x"].as_str()?)?, decoded(key["y"].as_str()?)?].concat())
}

fn second(value: &Value) -> Option<Millis> {
    value.as_i64().filter(|number| (0..=LAST_SECOND).contains(number)).map(|number| number * 1000)
}

/// An online receipt without a device is one that any device can fetch.
fn is_for_device(claims: &Value, device_id: &str) -> bool {
    let id = claims["entitlement"]["id"].as_str().unwrap_or_default();
    let digest = digest_of(&format!("{id}\n{}", device_id.trim_matches(is_white)));
    match claims.get("device") {
        None => claims["mode"] == "offline",
        Some(device) => *device == format!("dev_{}", &digest[..22]),
    }
}

/// Reports whether a digest is that of a spelling of a key that the service accepts.
fn is_digest_of(license_key: &str, digest: &Value) -> bool {
    let texts = [license_key.trim_matches(is_white).to_string(), folded(license_key)];
    texts.iter().any(|text| *digest == digest_of(text) || *digest == digest_of(&issued(text)))
}

/// White space as the service knows it: `char::is_whitespace` has U+0085, and lacks U+FEFF.
pub fn is_white(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}'
        | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// Unicode's category Cf.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}'
        | '\u{8e2}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}'
        | '\u{e0020}'..='\u{e007f}')
}

/// Unicode's category Pd, and the minus sign.
fn is_hyphen(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{58a}' | '\u{5be}' | '\u{1400}' | '\u{1806}' | '\u{2010}'
            ..='\u{2015}'
                | '\u{2212}'
                | '\u{2e17}'
                | '\u{2e1a}'
                | '\u{2e3a}'
                | '\u{2e3b}'
                | '\u{2e40}'
                | '\u{2e5d}'
                | '\u{301c}'
                | '\u{3030}'
                | '\u{30a0}'
                | '\u{fe31}'
                | '\u{fe32}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{ff0d}'
                | '\u{10d6e}'
                | '\u{10ead}'
    )
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '\u{ab}' | '\u{bb}' | '\u{2018}'..='\u{201f}' | '\u{2039}' | '\u{203a}')
}

/// A key without what people and programs do to it on its way. Decomposed accents stay as they are.
fn folded(raw: &str) -> String {
    // Full width stands for ASCII.
    let narrow = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    };
    let seen = raw.chars().filter(|c| !is_white(*c) && !is_invisible(*c)).map(narrow);
    let text: String = seen.map(|c| if is_hyphen(c) { '-' } else { c }).collect();
    let bare = text.trim_matches(is_quote);
    let is_quoted = !bare.is_empty() && text.starts_with(is_quote) && text.ends_with(is_quote);
    if is_quoted { bare.to_string() } else { text }
}

/// In a key of the issued form, case, spaces and hyphens do not count, O is 0, and I and L are 1.
fn issued(text: &str) -> String {
    // Case of A to Z alone: in Unicode, other letters have one of these as their upper case.
    let bare = text.chars().filter(|c| !is_white(*c) && *c != '-').collect::<String>().to_ascii_uppercase();
    let Some(rest) = bare.strip_prefix("LK") else { return text.to_string() };
    let rest = rest.replace('O', "0").replace(['I', 'L'], "1");
    let is_symbol = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase() && c != 'U';
    if rest.chars().count() == 30 && rest.chars().all(is_symbol) { format!("LK{rest}") } else { text.to_string() }
}

/// ISO 8601 with milliseconds. The days are counted by Howard Hinnant's `civil_from_days`.
pub fn iso(at: Millis) -> String {
    let (days, rest) = (at.div_euclid(DAY), at.rem_euclid(DAY));
    let z = days + 719_468;
    let (era, day) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (d, m) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let y = year + era * 400 + i64::from(m <= 2);
    let (hour, minute, second, millis) = (rest / HOUR, rest / 60_000 % 60, rest / 1000 % 60, rest % 1000);
    format!("{y:04}-{m:02}-{d:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The instant of an ISO 8601 text as `iso` makes it.
pub fn instant(text: &str) -> Option<Millis> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (y, m, d) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (year, month) = if m > 2 { (y, m - 3) } else { (y - 1, m + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + d - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let of_day = number(11, 13)? * HOUR + number(14, 16)? * 60_000 + number(17, 19)? * 1000 + number(20, 23)?;
    let at = days * DAY + of_day;
    (iso(at) == text).then_some(at)
}
