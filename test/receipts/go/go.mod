module latchkey.example/receipts

go 1.25.0

require github.com/golang-jwt/jwt/v5 v5.3.1
