//! Latchkey's license gate for Rust 1.85 and later: copy this file, latchkey_service.rs and latchkey_receipt.rs into your
//! app. It needs `serde_json` and a function that sends a request, such as one of `ureq`; latchkey_receipt.rs also needs
//! `ring` and `base64`.
//!
//! ```ignore
//! let verifier = Verifier { product_id: "sketchpad".into(), keys, device_id: None };
//! let gate = Gate::new("https://licenses.example", verifier, FileStorage("license.json".into()), post);
//! let check = gate.check(Some(&license_key), None);
//! if check.verdict == Verdict::Valid {
//!     start(check.features.get("sso") == Some(&json!(true)));
//! }
//! ```
//!
//! Check at the start, and again at `next_check`. A check takes seconds while the service is down, so call it beside the
//! user interface. The gate stores one text, with the receipt and the latest instant that the machine has seen. Keep it in
//! a folder of the user on this machine that is not synchronized, one for each product.
//!
//! docs/gates.md has the rules; gates/cases.json is what these files are judged by.
use super::latchkey_receipt::{
    DAY, HOUR, Millis, Mode, Object, ReceiptCheck, Verifier, covers, instant, is_of_trial, iso, object_in, refused,
    unfolded,
};
use super::latchkey_service::{Answer, Post, Service, ServiceError};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Keeps one text from start to start. An error costs offline days only.
pub trait Storage: Send + Sync {
    fn load(&self) -> Result<Option<String>, String>;
    fn save(&self, text: &str) -> Result<(), String>;
}

/// Keeps the text in a file, which is replaced as a whole.
pub struct FileStorage(pub PathBuf);

impl Storage for FileStorage {
    fn load(&self) -> Result<Option<String>, String> {
        std::fs::read_to_string(&self.0).map(Some).map_err(|error| error.to_string())
    }

    fn save(&self, text: &str) -> Result<(), String> {
        let new = self.0.with_extension("new");
        std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &self.0)).map_err(|error| error.to_string())
    }
}

/// Decides whether an app may run, also while the service is down. If the verifier has a `device_id`, the gate takes a
/// seat for the device.
pub struct Gate {
    /// For the buyer, in lists of devices.
    pub device_name: Option<String>,
    /// Whether a check without a key starts the trial of the device, or goes on with it.
    pub trial: bool,
    /// When this build was released: it is `updates_ended` with a license whose updates ended before.
    pub released_at: Option<Millis>,
    pub now: Box<dyn Fn() -> Millis + Send + Sync>,
    service: Service,
    verifier: Verifier,
    storage: Box<dyn Storage>,
    turn: Mutex<()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Valid,
    Invalid,
    /// The service gave no verdict, and neither did the receipt. Ask again later, and lock nobody out for good by it.
    Unavailable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Online,
    Receipt,
}

/// Whether the app may run, and how that is known.
#[derive(Clone, Debug)]
pub struct Check {
    pub verdict: Verdict,
    /// None if unavailable.
    pub source: Option<Source>,
    /// Why it is invalid. Of the service:
    ///
    /// - `unknown`: no license of this product has the key, or it was revoked
    /// - `malformed`: the key cannot be one: it was mistyped
    /// - `no_access`: the license is known and over, or suspended; `entitlement` says which
    /// - `device_limit`: all seats are taken: `replace` frees one
    /// - `device_offline`: the device to be replaced has an offline receipt, and keeps its seat
    /// - `too_many_releases`: seats of this license were released too often
    /// - `trial_ended`, also of the receipt: the trial of this device is over
    /// - `trial_not_offered`: the product has no trial
    ///
    /// Of either, `updates_ended`: this build came out after the updates of the license, and an earlier one goes on.
    /// Of the receipt:
    ///
    /// - `expired`: it is over, and the service must be reached once
    /// - `clock_set_back`: the clock is more than a day behind what it has shown before
    pub reason: Option<&'static str>,
    /// The JSON object of the service or of the receipt, or null.
    pub entitlement: Value,
    /// None unless it is valid.
    pub features: Object,
    pub device_limit: Option<i64>,
    pub offline_until: Option<Millis>,
    pub next_check: Millis,
    pub trial: Option<Trial>,
    /// If unavailable, why the stored receipt does not count.
    pub receipt: Option<&'static str>,
    /// If unavailable, why the service gave no verdict.
    pub error: Option<ServiceError>,
}

/// A trial that runs.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    pub ends_at: Millis,
    /// Rounded up.
    pub days_left: i64,
}

/// The facts from which a verdict is reached.
struct Moment<'a> {
    license_key: &'a str,
    receipt: Option<String>,
    last_seen: Option<Millis>,
    now: Millis,
}

impl Moment<'_> {
    fn latest(&self) -> Millis {
        self.now.max(self.last_seen.unwrap_or(self.now))
    }
}

impl Gate {
    pub fn new(base_url: &str, verifier: Verifier, storage: impl Storage + 'static, post: Post) -> Self {
        let service = Service { base_url: base_url.into(), product_id: verifier.product_id.clone(), post };
        let (storage, now) = (Box::new(storage), Box::new(clock));
        Self {
            device_name: None,
            trial: false,
            released_at: None,
            now,
            service,
            verifier,
            storage,
            turn: Mutex::new(()),
        }
    }

    /// Asks the service once, and the stored receipt if it gives no verdict. `replace` names the device, as lists of
    /// devices show it, that makes room if no seat is free.
    pub fn check(&self, license_key: Option<&str>, replace: Option<&str>) -> Check {
        if let (None, true, Some(device_id)) = (license_key, self.trial, &self.verifier.device_id) {
            return self.try_out(device_id);
        }
        let license_key = license_key.unwrap_or_default();
        let answer = match &self.verifier.device_id {
            None => self.service.verify(license_key),
            Some(id) => self.service.activate(license_key, id, self.device_name.as_deref(), replace),
        };
        self.in_turn(license_key, |moment| match answer {
            Ok(Answer::Valid { entitlement, receipt, allowed }) => self.valid(&moment, entitlement, receipt, &allowed),
            Ok(Answer::Invalid { reason, entitlement }) => {
                // A receipt must not contradict the service later. A typing error says nothing about the license.
                if reason != "malformed" {
                    self.drop_receipt(&moment);
                }
                invalid(Source::Online, reason, entitlement, moment.now)
            }
            Err(error) => self.unavailable(&moment, error),
        })
    }

    /// Verifies a receipt that the seller has handed out, and stores it if it is a valid offline receipt.
    pub fn accept(&self, receipt: &str) -> ReceiptCheck {
        self.in_turn("", |moment| {
            let judged = self.verifier.verify_receipt(receipt, None, moment.now, moment.last_seen);
            if judged.is_valid() && judged.mode == Mode::Offline {
                self.save(Some(&unfolded(receipt)), Some(moment.latest()));
            }
            judged
        })
    }

    /// Frees the seat of this device and drops the receipt.
    pub fn release(&self, license_key: &str) -> Result<(), ServiceError> {
        let Some(device_id) = &self.verifier.device_id else {
            return Err(ServiceError { message: "the gate has no device to release".into(), code: None });
        };
        self.service.deactivate(license_key, device_id)?;
        self.in_turn(license_key, |moment| self.drop_receipt(&moment));
        Ok(())
    }

    /// One after the other, because the storage is read and then written.
    fn in_turn<Result>(&self, license_key: &str, action: impl FnOnce(Moment) -> Result) -> Result {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let (receipt, last_seen) = self.load();
        action(Moment { license_key, receipt, last_seen, now: (self.now)() })
    }

    /// The service says so now, so an instant that was seen before does not count.
    fn valid(&self, moment: &Moment, mut entitlement: Value, handed: Option<String>, allowed: &Object) -> Check {
        let has_device = self.verifier.device_id.is_some();
        let stored = self.judge(moment.receipt.as_deref(), moment, None);
        let is_offline = stored.is_valid() && stored.mode == Mode::Offline;
        let is_young = is_offline || moment.now < stored.refresh_after;
        // A receipt that does not cover this build may be one from before a renewal.
        let is_enough = is_young && covers(&stored.entitlement, self.released_at);
        let is_fresh = !has_device && stored.is_valid() && is_enough && is_same(&stored.entitlement, &entitlement);
        let fetched = match (has_device, is_fresh) {
            (true, _) => handed,
            (false, true) => None,
            (false, false) => self.service.receipt(moment.license_key).ok(),
        };
        let another = self.judge(fetched.as_deref(), moment, None);
        let is_next = another.is_genuine() && !is_offline;
        self.save(if is_next { fetched.as_deref() } else { moment.receipt.as_deref() }, Some(moment.now));
        let shown = [&another, &stored].into_iter().find(|each| each.is_valid());
        let shown = shown.and_then(|each| each.entitlement.as_object()).cloned().unwrap_or_default();
        let allowed = if has_device { allowed } else { &shown };
        for (names, from) in [(["accessEndsAt", "updatesUntil"], &shown), (["features", "deviceLimit"], allowed)] {
            for name in names {
                if let Some(value) = from.get(name).filter(|value| !value.is_null()) {
                    entitlement[name] = value.clone();
                }
            }
        }
        if !covers(&entitlement, self.released_at) {
            return invalid(Source::Online, "updates_ended", entitlement, moment.now);
        }
        let held = if is_next { &another } else { &stored };
        let until = held.is_valid().then_some(held.expires_at);
        valid(Source::Online, entitlement, until, moment.now)
    }

    fn unavailable(&self, moment: &Moment, error: ServiceError) -> Check {
        let judged = self.judge(moment.receipt.as_deref(), moment, moment.last_seen);
        if !judged.is_genuine() {
            return unavailable(judged.reason, error, moment.now);
        }
        self.save(moment.receipt.as_deref(), Some(moment.latest()));
        match judged.reason {
            None if !covers(&judged.entitlement, self.released_at) => {
                invalid(Source::Receipt, "updates_ended", judged.entitlement, moment.now)
            }
            None => valid(Source::Receipt, judged.entitlement, Some(judged.expires_at), moment.now),
            Some(reason) => invalid(Source::Receipt, reason, judged.entitlement, moment.now),
        }
    }

    /// Forgets the stored receipt, unless it is one of another license or product.
    fn drop_receipt(&self, moment: &Moment) {
        let reason = self.judge(moment.receipt.as_deref(), moment, None).reason;
        if !matches!(reason, Some("none" | "wrong_product" | "wrong_key")) {
            self.save(None, moment.last_seen);
        }
    }

    /// `none` for no receipt, and for one of a trial, which stays until a license has one.
    fn judge(&self, receipt: Option<&str>, moment: &Moment, last_seen: Option<Millis>) -> ReceiptCheck {
        match receipt {
            Some(text) if !is_of_trial(text) => {
                self.verifier.verify_receipt(text, Some(moment.license_key), moment.now, last_seen)
            }
            _ => refused("none"),
        }
    }

    fn try_out(&self, device_id: &str) -> Check {
        let answer = self.service.trial(device_id);
        self.in_turn("", |moment| {
            let started = self.judge_trial(answer.as_ref().ok().map(String::as_str), moment.now, None);
            if started.is_valid() {
                self.save(answer.as_ref().ok().map(String::as_str), Some(moment.now));
                return running(Source::Online, started, moment.now, moment.now);
            }
            let own = self.judge_trial(moment.receipt.as_deref(), moment.now, moment.last_seen);
            let error = answer
                .err()
                .unwrap_or_else(|| ServiceError { message: "the receipt cannot be verified".into(), code: None });
            let refusal = match error.code.as_deref() {
                Some("trial_ended") => Some("trial_ended"),
                Some("trial_not_offered") => Some("trial_not_offered"),
                _ => None,
            };
            if let Some(reason) = refusal {
                if own.reason != Some("none") {
                    self.save(None, moment.last_seen);
                }
                return invalid(Source::Online, reason, Value::Null, moment.now);
            }
            if !own.is_genuine() {
                return unavailable(own.reason, error, moment.now);
            }
            self.save(moment.receipt.as_deref(), Some(moment.latest()));
            match own.reason {
                None => running(Source::Receipt, own, moment.now, moment.latest()),
                Some("expired") => invalid(Source::Receipt, "trial_ended", own.entitlement, moment.now),
                Some(reason) => invalid(Source::Receipt, reason, own.entitlement, moment.now),
            }
        })
    }

    /// `none` for no receipt, and for one of a license.
    fn judge_trial(&self, receipt: Option<&str>, now: Millis, last_seen: Option<Millis>) -> ReceiptCheck {
        match receipt {
            Some(text) if is_of_trial(text) => self.verifier.verify_trial(text, now, last_seen),
            _ => refused("none"),
        }
    }

    /// What another program has written counts as nothing.
    fn load(&self) -> (Option<String>, Option<Millis>) {
        let text = self.storage.load().ok().flatten().unwrap_or_default();
        stored_in(text.as_bytes()).unwrap_or_default()
    }

    fn save(&self, receipt: Option<&str>, last_seen: Option<Millis>) {
        let stored = json!({ "version": 1, "receipt": receipt, "lastSeen": last_seen.map(iso) });
        let _ = self.storage.save(&stored.to_string()); // an error costs offline days only
    }
}

fn stored_in(bytes: &[u8]) -> Option<(Option<String>, Option<Millis>)> {
    let stored = object_in(bytes).filter(|stored| stored.get("version") == Some(&json!(1)))?;
    let receipt = match stored.get("receipt")? {
        Value::Null => None,
        text => Some(text.as_str()?.to_string()),
    };
    let last_seen = match stored.get("lastSeen")? {
        Value::Null => None,
        text => Some(instant(text.as_str()?)?),
    };
    Some((receipt, last_seen))
}

fn valid(source: Source, entitlement: Value, offline_until: Option<Millis>, now: Millis) -> Check {
    let next = now + if source == Source::Online { DAY } else { HOUR };
    Check {
        verdict: Verdict::Valid,
        source: Some(source),
        features: entitlement["features"].as_object().cloned().unwrap_or_default(),
        device_limit: entitlement["deviceLimit"].as_i64(),
        offline_until,
        next_check: offline_until.map_or(next, |end| end.min(next)),
        ..nothing(entitlement, now)
    }
}

fn running(source: Source, judged: ReceiptCheck, now: Millis, latest: Millis) -> Check {
    let days_left = (judged.expires_at - latest + DAY - 1) / DAY;
    let trial = Some(Trial { ends_at: judged.expires_at, days_left });
    Check { trial, ..valid(source, judged.entitlement, Some(judged.expires_at), now) }
}

fn invalid(source: Source, reason: &'static str, mut entitlement: Value, now: Millis) -> Check {
    if let Some(members) = entitlement.as_object_mut() {
        members.retain(|name, _| name != "features" && name != "deviceLimit");
    }
    Check { verdict: Verdict::Invalid, source: Some(source), reason: Some(reason), ..nothing(entitlement, now) }
}

fn unavailable(receipt: Option<&'static str>, error: ServiceError, now: Millis) -> Check {
    Check { receipt, error: Some(error), ..nothing(Value::Null, now) }
}

/// A check that allows nothing.
fn nothing(entitlement: Value, now: Millis) -> Check {
    Check {
        verdict: Verdict::Unavailable,
        source: None,
        reason: None,
        entitlement,
        features: Object::new(),
        device_limit: None,
        offline_until: None,
        next_check: now + HOUR,
        trial: None,
        receipt: None,
        error: None,
    }
}

/// The clock of the machine.
pub fn clock() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}

/// Reports whether a receipt shows what the service says.
fn is_same(one: &Value, other: &Value) -> bool {
    let members = ["id", "productId", "status", "tierId", "tierName", "billingInterval", "currentPeriodEnd"];
    members.iter().all(|name| one[*name] == other[*name])
}
