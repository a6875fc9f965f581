// Reads a receipt from each line, in base64, and prints whether the program of the document accepts it.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		receipt, _ := base64.StdEncoding.DecodeString(lines.Text())
		entitlement, err := entitlementOf(string(receipt))
		members, _ := entitlement.(map[string]any)
		if err == nil && members["id"] == "ent_1" {
			fmt.Println("valid")
		} else {
			fmt.Println("invalid")
		}
	}
}
