package schedules_test

import (
	"fmt"

	"breadboard/chains/schedules"
)

func curve(tb interface{ Fatal(...any) }, betas ...float64) *schedules.Curve {
	c, err := schedules.NewCurve(betas)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func Example_curve() {
	c, err := schedules.NewCurve([]float64{0, 0.1, 0.4, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c)
	for t := 1; t <= 7; t++ {
		fmt.Printf("%.2f ", c.Beta(t, 7))
	}
	// Output:
	// curve:0:0.1:0.4:1
	// 0.00 0.05 0.10 0.25 0.40 0.70 1.00
}
