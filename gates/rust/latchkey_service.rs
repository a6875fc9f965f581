//! Asks a service of Latchkey about licenses, for latchkey_gate.rs, which is copied into an app together with this file.
//!
//! Only an answer in the form of the service is a verdict. A timeout, a portal, a proxy, a redirect, an answer that is
//! cut off, of more than 256 KiB or of another form says nothing about the license.
use super::latchkey_receipt::{Object, are_features, is_device_limit, is_entitlement, object_in, sent_key};
use serde_json::{Value, json};

const EDITION: &str = "2026-07-18";
const MAX_BODY: usize = 262_144;

/// An answer: its status, its field `Error-Code`, and its body, of which more than 256 KiB need not be read.
pub struct Reply {
    pub status: u16,
    pub error_code: Option<String>,
    pub body: Vec<u8>,
}

/// Sends a POST to a URL with these fields and this body, follows no redirect, and fails unless the whole answer is there
/// within 3 seconds.
pub type Post = Box<dyn Fn(&str, &[(&str, &str)], &str) -> Result<Reply, String> + Send + Sync>;

/// A refusal of the service, or an answer that cannot be used.
#[derive(Clone, Debug)]
pub struct ServiceError {
    pub message: String,
    /// The Error-Code of a refusal.
    pub code: Option<String>,
}

impl std::fmt::Display for ServiceError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ServiceError {}

/// A verdict of the service. Nobody has verified `receipt` yet. A seat has the allowance.
pub enum Answer {
    Valid { entitlement: Value, receipt: Option<String>, allowed: Object },
    Invalid { reason: &'static str, entitlement: Value },
}

/// The operations of a service about the licenses of a product.
pub struct Service {
    pub base_url: String,
    pub product_id: String,
    pub post: Post,
}

impl Service {
    pub fn verify(&self, license_key: &str) -> Result<Answer, ServiceError> {
        let body = match self.send("verify", self.asked(license_key)) {
            Err(error) if error.code.as_deref() == Some("malformed_license_key") => return Ok(invalid("malformed")),
            other => other?,
        };
        match (body.get("valid"), body.get("entitlement")) {
            (Some(Value::Bool(false)), None) => Ok(invalid("unknown")),
            (Some(Value::Bool(valid)), Some(shown)) if is_entitlement(shown) => Ok(if *valid {
                Answer::Valid { entitlement: shown.clone(), receipt: None, allowed: Object::new() }
            } else {
                Answer::Invalid { reason: "no_access", entitlement: shown.clone() }
            }),
            _ => Err(unusable()),
        }
    }

    /// Asks for a seat, and for the reason if the license gives no access.
    pub fn activate(
        &self,
        license_key: &str,
        device_id: &str,
        device_name: Option<&str>,
        replace: Option<&str>,
    ) -> Result<Answer, ServiceError> {
        let mut body = self.asked(license_key);
        for (name, value) in [("deviceId", Some(device_id)), ("deviceName", device_name), ("replace", replace)] {
            if let Some(text) = value {
                body[name] = text.into();
            }
        }
        let error = match self.data("activate", body) {
            Ok(data) => return seat_in(&data),
            Err(error) => error,
        };
        match error.code.as_deref() {
            Some("malformed_license_key") => Ok(invalid("malformed")),
            Some("license_not_found") => Ok(invalid("unknown")),
            Some("device_limit") => Ok(invalid("device_limit")),
            Some("device_offline") => Ok(invalid("device_offline")),
            Some("too_many_releases") => Ok(invalid("too_many_releases")),
            Some("no_access") => match self.verify(license_key)? {
                Answer::Valid { .. } => Err(error),
                explained @ Answer::Invalid { .. } => Ok(explained),
            },
            _ => Err(error),
        }
    }

    pub fn deactivate(&self, license_key: &str, device_id: &str) -> Result<(), ServiceError> {
        let mut body = self.asked(license_key);
        body["deviceId"] = device_id.into();
        let data = self.data("deactivate", body)?;
        if is_seat(&data) { Ok(()) } else { Err(unusable()) }
    }

    pub fn receipt(&self, license_key: &str) -> Result<String, ServiceError> {
        let data = self.data("receipt", self.asked(license_key))?;
        data.get("receipt").and_then(Value::as_str).map(Into::into).ok_or_else(unusable)
    }

    /// Starts the trial of a device, or goes on with it, and returns its receipt.
    pub fn trial(&self, device_id: &str) -> Result<String, ServiceError> {
        let data = self.data("trial", json!({ "productId": self.product_id, "deviceId": device_id }))?;
        data.get("receipt").and_then(receipt_in).ok_or_else(unusable)
    }

    fn asked(&self, license_key: &str) -> Value {
        json!({ "licenseKey": sent_key(license_key), "productId": self.product_id })
    }

    fn data(&self, verb: &str, body: Value) -> Result<Object, ServiceError> {
        let mut answer = self.send(verb, body)?;
        let is_success = answer.get("success") == Some(&Value::Bool(true));
        match answer.remove("data") {
            Some(Value::Object(data)) if is_success => Ok(data),
            _ => Err(unusable()),
        }
    }

    fn send(&self, verb: &str, body: Value) -> Result<Object, ServiceError> {
        let url = format!("{}/api/licenses/{verb}", self.base_url.trim_end_matches('/'));
        let fields = [("Accept", "application/json"), ("API-Version", EDITION), ("Content-Type", "application/json")];
        let reply =
            (self.post)(&url, &fields, &body.to_string()).map_err(|message| ServiceError { message, code: None })?;
        if reply.body.len() > MAX_BODY {
            return Err(unusable());
        }
        if !(200..300).contains(&reply.status) {
            let message = format!("the service answered {}", reply.status);
            return Err(ServiceError { message, code: reply.error_code });
        }
        object_in(&reply.body).ok_or_else(unusable)
    }
}

fn seat_in(data: &Object) -> Result<Answer, ServiceError> {
    let Some(entitlement) = data.get("entitlement").filter(|shown| is_entitlement(shown)) else {
        return Err(unusable());
    };
    let receipt = match data.get("receipt") {
        Some(Value::Null) => None,
        Some(issued) => Some(receipt_in(issued).ok_or_else(unusable)?),
        None => return Err(unusable()),
    };
    if !is_seat(data) || !are_features(data.get("features")) {
        return Err(unusable());
    }
    let is_allowance = |name: &&str| data.get(*name).is_some_and(|value| !value.is_null());
    let names = ["features", "deviceLimit"].into_iter().filter(is_allowance);
    let allowed = names.map(|name| (name.to_string(), data[name].clone())).collect();
    Ok(Answer::Valid { entitlement: entitlement.clone(), receipt, allowed })
}

fn is_seat(data: &Object) -> bool {
    data.get("device").is_some_and(Value::is_string) && data.get("deviceLimit").is_some_and(is_device_limit)
}

fn receipt_in(issued: &Value) -> Option<String> {
    issued["receipt"].as_str().map(Into::into)
}

fn invalid(reason: &'static str) -> Answer {
    Answer::Invalid { reason, entitlement: Value::Null }
}

fn unusable() -> ServiceError {
    ServiceError { message: "the answer is not one of Latchkey".into(), code: None }
}
