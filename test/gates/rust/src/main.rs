//! Drives the gate for the judge: reads a JSON object from each line, and prints one.
#[allow(dead_code, reason = "an app uses the rest")]
#[path = "../gate/latchkey_gate.rs"]
mod latchkey_gate;
#[path = "../gate/latchkey_receipt.rs"]
mod latchkey_receipt;
#[path = "../gate/latchkey_service.rs"]
mod latchkey_service;

use latchkey_gate::{Check, Gate, Source, Storage, Verdict};
use latchkey_receipt::{Mode, ReceiptCheck, Verifier, instant, iso};
use latchkey_service::{Post, Reply};
use serde_json::{Value, json};
use std::io::stdin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

struct Memory {
    text: Arc<Mutex<Option<String>>>,
    fails: bool,
}

impl Storage for Memory {
    fn load(&self) -> Result<Option<String>, String> {
        if self.fails { Err("no permission".into()) } else { Ok(self.text.lock().unwrap().clone()) }
    }

    fn save(&self, text: &str) -> Result<(), String> {
        if self.fails {
            return Err("the disk is full".into());
        }
        *self.text.lock().unwrap() = Some(text.into());
        Ok(())
    }
}

/// Sends requests by ureq.
fn by_ureq(timeout: Duration) -> Post {
    let config =
        ureq::Agent::config_builder().timeout_global(Some(timeout)).max_redirects(0).max_redirects_will_error(false);
    let agent = config.http_status_as_error(false).build().new_agent();
    Box::new(move |url, fields, body| {
        let mut request = agent.post(url);
        for (name, value) in fields {
            request = request.header(*name, *value);
        }
        let mut response = request.send(body).map_err(|error| error.to_string())?;
        let error_code = response.headers().get("Error-Code").and_then(|value| value.to_str().ok()).map(Into::into);
        let body = response.body_mut().with_config().limit(262_145).read_to_vec().map_err(|error| error.to_string())?;
        Ok(Reply { status: response.status().as_u16(), error_code, body })
    })
}

fn judged(result: &ReceiptCheck) -> Value {
    if let Some(reason) = result.reason {
        return json!({ "verdict": "invalid", "reason": reason, "entitlement": result.entitlement });
    }
    let mode = match result.mode {
        Mode::Online => "online",
        Mode::Offline => "offline",
        Mode::Trial => "trial",
    };
    json!({ "verdict": "valid", "mode": mode, "entitlement": result.entitlement, "issuedAt": iso(result.issued_at),
        "refreshAfter": iso(result.refresh_after), "expiresAt": iso(result.expires_at) })
}

fn checked(result: &Check) -> Value {
    let verdict = match result.verdict {
        Verdict::Valid => "valid",
        Verdict::Invalid => "invalid",
        Verdict::Unavailable => "unavailable",
    };
    let mut members = json!({ "verdict": verdict, "reason": result.reason, "entitlement": result.entitlement,
        "features": result.features, "deviceLimit": result.device_limit, "nextCheck": iso(result.next_check) });
    if let Some(source) = result.source {
        members["source"] = if source == Source::Online { "online" } else { "receipt" }.into();
    }
    match result.verdict {
        Verdict::Valid => members["offlineUntil"] = json!(result.offline_until.map(iso)),
        Verdict::Invalid => {}
        Verdict::Unavailable => members["receipt"] = json!(result.receipt),
    }
    if let Some(trial) = result.trial {
        members["trial"] = json!({ "endsAt": iso(trial.ends_at), "daysLeft": trial.days_left });
    }
    members
}

fn verified(message: &Value, now: i64) -> ReceiptCheck {
    let text = |name: &str| message[name].as_str();
    let product_id = text("productId").unwrap_or_default().into();
    let verifier = Verifier { product_id, keys: message["keys"].clone(), device_id: text("deviceId").map(Into::into) };
    let (receipt, last_seen) = (text("receipt").unwrap_or_default(), text("lastSeen").and_then(instant));
    if message["trial"] == true {
        verifier.verify_trial(receipt, now, last_seen)
    } else {
        verifier.verify_receipt(receipt, text("licenseKey"), now, last_seen)
    }
}

fn opened(message: &Value, text: &Arc<Mutex<Option<String>>>, now: &Arc<AtomicI64>) -> Gate {
    let of = |value: &Value| value.as_str().map(String::from);
    *text.lock().unwrap() = of(&message["stored"]);
    let device_id = of(&message["device"]["id"]);
    let product_id = of(&message["productId"]).unwrap_or_default();
    let verifier = Verifier { product_id, keys: message["keys"].clone(), device_id };
    let storage = Memory { text: text.clone(), fails: message["storage"] == "fails" };
    let post = by_ureq(Duration::from_millis(message["timeout"].as_u64().unwrap_or(3000)));
    let mut gate = Gate::new(message["baseUrl"].as_str().unwrap_or_default(), verifier, storage, post);
    let own = now.clone();
    gate.now = Box::new(move || own.load(Ordering::SeqCst));
    gate.device_name = of(&message["device"]["name"]);
    gate.trial = message["trial"] == true;
    gate.released_at = message["releasedAt"].as_str().and_then(instant);
    gate
}

fn main() {
    let now = Arc::new(AtomicI64::new(0));
    let text = Arc::new(Mutex::new(None));
    let mut gate: Option<Gate> = None;
    for line in stdin().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if let Some(at) = message["now"].as_str().and_then(instant) {
            now.store(at, Ordering::SeqCst);
        }
        let (key, replace) = (message["licenseKey"].as_str(), message["replace"].as_str());
        let result = match message["call"].as_str().unwrap_or_default() {
            "hello" => {
                println!("{}", json!({ "lacks": ["nfc"] }));
                continue;
            }
            "open" => {
                gate = Some(opened(&message, &text, &now));
                Value::Null
            }
            "verifyReceipt" => judged(&verified(&message, now.load(Ordering::SeqCst))),
            "check" => checked(&gate.as_ref().unwrap().check(key, replace)),
            "accept" => judged(&gate.as_ref().unwrap().accept(message["receipt"].as_str().unwrap_or_default())),
            _ => match gate.as_ref().unwrap().release(key.unwrap_or_default()) {
                Ok(()) => json!({ "released": true }),
                Err(error) => json!({ "released": false, "code": error.code }),
            },
        };
        println!("{}", json!({ "result": result, "stored": *text.lock().unwrap() }));
    }
}
