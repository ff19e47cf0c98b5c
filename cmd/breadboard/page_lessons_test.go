package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestPageLessons: the link of each lesson opens it with its numbers hidden, and a guess reveals
// those that the command prints.
func TestPageLessons(t *testing.T) {
	t.Parallel()
	b := openBench(t, smallBench)
	b.wide()
	for lesson, command := range map[string]string{
		"bound":    "tightness --toy barrier -T 30 --columns J",
		"barrier":  "kernel check metropolis --toy barrier --beta 1 --columns value",
		"schedule": "tightness --toy hard -T 100 --schedule best --columns B",
		"kernel":   "kernel check heatbath-axis:0 --toy barrier --beta 1 --columns value",
		"rhat":     "",
		"smc":      "smc --toy barrier -T 100 --particles 100 --threshold 0,1 --columns relative_variance",
	} {
		link := b.value(`document.querySelector("[data-lesson=%s]").getAttribute("href")`, lesson)
		b.visit(link[1:]) // behind ?, or behind # where the page computes in the browser
		b.wait(`document.querySelector("#guess-buttons button:enabled")`, longtest.Patience)
		if b.is(`document.querySelector("[data-field=J]").checkVisibility({visibilityProperty: true})`) {
			t.Errorf("%s: J is shown before a guess", lesson)
		}
		const shown = `document.getElementById("chains-map").getBoundingClientRect().top < innerHeight`
		if lesson == "rhat" && !b.is(shown) {
			t.Error("the chains of R-hat are below the first screen")
		}
		b.eval(`document.getElementById("guess-number").value = "1"`, nil)
		b.enter("#guess-buttons button")
		b.wait(`!document.getElementById("lesson-answer").hidden`, longtest.Patience)
		revealed := b.value(`[...document.querySelectorAll("#lesson-answer b")].map((it) => it.dataset.value)`)
		// of rhat: four states of a mode have 5 for log f, and the wall has less than 1e-6
		printed := fmt.Sprint(4 * math.Exp(5) / (4*math.Exp(5) + 30 + 10*math.E))
		if lesson == "rhat" && !b.is(`Number(document.querySelector("[data-answer='R-hat']").dataset.value) < 1.01`) {
			t.Error("R-hat is not below 1.01")
		}
		tolerance := 1e-6
		if command != "" {
			tolerance = 0
			if *inBrowser {
				tolerance = 1e-12 // a browser rounds in another order
			}
			printed = breadboard(t, t.TempDir(), strings.Fields(command+" --format csv")...)
		}
		for _, text := range strings.Split(revealed, ",") {
			value := longtest.Must(strconv.ParseFloat(text, 64))(t)
			found := false
			for _, cell := range strings.Fields(printed) {
				want, err := strconv.ParseFloat(cell, 64)
				found = found || err == nil && math.Abs(value-want) <= tolerance*math.Abs(want)
			}
			if !found {
				t.Errorf("%s: the page reveals %s, and %q prints %s", lesson, text, command, printed)
			}
		}
	}
	b.quiet()
}
