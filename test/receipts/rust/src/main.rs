//! Reads a receipt from each line, in base64, and prints whether the program of the document accepts it.
mod receipt;

use base64::{Engine, prelude::BASE64_STANDARD};
use std::io::stdin;

fn main() {
    for line in stdin().lines() {
        let bytes = BASE64_STANDARD.decode(line.unwrap()).unwrap();
        let entitlement = receipt::entitlement_of(&String::from_utf8(bytes).unwrap());
        println!("{}", if entitlement.is_ok_and(|it| it["id"] == "ent_1") { "valid" } else { "invalid" });
    }
}
