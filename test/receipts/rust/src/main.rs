//! Reads a `typ`, the id of an entitlement and a receipt in base64 from each line, and prints whether the program of the
//! document accepts it as one of that entitlement, and for which device.
mod receipt;

use base64::{Engine, prelude::BASE64_STANDARD};
use std::io::stdin;

fn main() {
    for line in stdin().lines() {
        let line = line.unwrap();
        let [typ, id, receipt] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let bytes = BASE64_STANDARD.decode(receipt).unwrap();
        match receipt::claims_of(&String::from_utf8(bytes).unwrap(), typ) {
            Ok(claims) if claims["entitlement"]["id"] == id => {
                println!("{}", format!("valid {}", claims["device"].as_str().unwrap_or("")).trim_end())
            }
            _ => println!("invalid"),
        }
    }
}
