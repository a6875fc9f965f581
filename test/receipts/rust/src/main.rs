//! Reads a receipt from each line, in base64, and prints whether the program of the document accepts it, and for which device.
mod receipt;

use base64::{Engine, prelude::BASE64_STANDARD};
use std::io::stdin;

fn main() {
    for line in stdin().lines() {
        let bytes = BASE64_STANDARD.decode(line.unwrap()).unwrap();
        match receipt::claims_of(&String::from_utf8(bytes).unwrap()) {
            Ok(claims) if claims["entitlement"]["id"] == "ent_1" => {
                println!("{}", format!("valid {}", claims["device"].as_str().unwrap_or("")).trim_end())
            }
            _ => println!("invalid"),
        }
    }
}
