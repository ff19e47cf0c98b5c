package selector_test

import (
	"fmt"
	"strings"

	"breadboard/chains/selector"
)

// Temperatures are selected by one of two forms; the list of choices and all errors derive from
// these.
func Example_selectors() {
	type form = selector.Form[selector.Nothing, float64]
	cold := func() form {
		return form{
			Syntax: "cold", Doc: "one tenth", Example: "cold",
			Parse: func(selector.Args, selector.Nothing) (float64, error) { return 0.1, nil },
		}
	}
	at := func() form {
		return form{
			Syntax: "at:T", Doc: "T itself", Example: "at:2", Missing: "the temperature",
			Parse: func(args selector.Args, _ selector.Nothing) (float64, error) { return args.Number("T") },
		}
	}
	set := selector.NewSet("temperature", cold, at)
	fmt.Println("choices:", strings.Join(set.Listing.Syntaxes(), ", "))
	for _, text := range []string{"cold", "at:1.5", "at", "at:x", "could"} {
		v, err := set.Parse(text, selector.Nothing{})
		fmt.Println(text, v, err)
	}
	// Output:
	// choices: cold, at:T
	// cold 0.1 <nil>
	// at:1.5 1.5 <nil>
	// at 0 temperature "at": give the temperature, as in at:2
	// at:x 0 temperature "at:x": T: "x" is not a number
	// could 0 unknown temperature "could"; did you mean cold?
}
