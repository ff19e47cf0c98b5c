package posterior

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"breadboard/chains/errs"
	"breadboard/reports/check"
)

// estimates compares the mean of estimates of p(y) with it.
func (o *Outcome) estimates(ctx context.Context, _ Options, progress func(int)) error {
	far := newWorst()
	open := newWorst()
	for y, data := range o.Data {
		found, err := o.answerLaw(ctx, "log_z given "+data, map[string]any{asksEstimate: data})
		if err != nil {
			return err
		}
		mean := 0.0
		most := 0.0
		log := o.LogZ[y]
		for _, out := range found.Outcomes() {
			v, err := parse(out.Value)
			if err != nil {
				return fmt.Errorf("log_z given %s: %w", data, err)
			}
			mean += out.P * math.Exp(v-log)
			most = max(most, math.Exp(v-log))
		}
		if left := found.Cut + found.Left; left > 0 && !(left*most <= tolerance*mean) {
			open.keepWorst(left, y, 0, fmt.Sprintf(
				"the mean of exp(log_z) is not known, since estimates of probability %.3g were not "+
					"explored; that of the explored ones is %.9g p(y)",
				left,
				mean,
			))
			progress(1)
			continue
		}
		far.keepWorst(math.Abs(mean-1), y, 0, fmt.Sprintf("the mean of exp(log_z) is %.9g p(y)", mean))
		progress(1)
	}
	if open.value > 0 {
		o.addFinding(check.Finding{
			Name:      LogEvidence,
			Value:     open.value,
			Tolerance: tolerance,
			Verdict:   check.Open,
			Where:     open.text,
		}, open.y)
	}
	if far.y < 0 {
		return nil
	}
	f := check.Held(LogEvidence, far.value, tolerance, far.text)
	o.addFinding(f, far.y)
	return nil
}

// askNumber returns the answer to a request that is one number, always the same.
func (o *Outcome) askNumber(ctx context.Context, what string, request map[string]any) (float64, error) {
	found, err := o.answerLaw(ctx, what, request)
	if err != nil {
		return 0, err
	}
	if len(found.Outcomes()) != 1 {
		return 0, errs.New("%s: it has %d values; it may not be random", what, len(found.Outcomes()))
	}
	v, err := parse(found.Outcomes()[0].Value)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	return v, nil
}

func parse(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 1) {
		return 0, errs.New("%q is not a log density; write a number below infinity", text)
	}
	return v, nil
}
