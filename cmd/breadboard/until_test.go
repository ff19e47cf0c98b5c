package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

func TestTightnessUntil(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitDone, "toy easy: T = 646 is where J = 0.0099779 meets 0.01; at T = 645 it is 0.0100006", []string{"--until", "J=0.01", "--toy", "easy"}},
		{exitDone, "J need not fall with T", []string{"--until", "J=1", "--toy", "easy,x=random:1:0:2x2"}},
		{exitFault, "J is still", []string{"--until", "J=0.01", "--toy", "easy", "--most-T", "50"}},
		{exitBadInput, "-T and --until", []string{"--until", "J=0.01", "--toy", "easy", "-T", "50"}},
		{exitBadInput, "says itself how many distributions there are, so that --until can look for no T", []string{"--until", "J=0.01", "--schedule", "cess:0.9"}},
		{exitBadInput, "do not go together", []string{"--until", "J=0.01", "--certify"}},
		{exitBadInput, "bound the search", []string{"--most-T", "50"}},
		{exitBadInput, "is no limit", []string{"--until", "Q=0.01"}},
		{exitBadInput, "stands for two targets", []string{"--until", "J=1", "--toy", "x=easy,x=hard"}},
	} {
		var out, messages bytes.Buffer
		if code := run(context.Background(), append([]string{"tightness"}, c.args...), &out, &messages); code != c.code || !strings.Contains(messages.String(), c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, &messages)
		}
	}
}
