package smc

import _ "breadboard/grid/longtest" // the flag -long, and fixed seeds

// must returns a value, and panics where there is an error: for what a test needs and does not test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
