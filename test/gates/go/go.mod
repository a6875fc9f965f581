module latchkey.example/driver

go 1.25.0
