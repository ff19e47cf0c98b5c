package catalogue

import (
	"testing"

	"breadboard/experiments/sweeps/sweep"
	"breadboard/grid/longtest"
)

const sweepSpec = `
[grid]
toy = ["easy", "barrier"]
T = [10, 100, 1000]
kernel = ["metropolis", "heatbath"]
[[case]]
toy = "random:1:0:5"
T = 100
kernel = "heatbath-axis:1"
[[case]]
toy = "random:1:0:5"
T = 100
[[case]]
toy = "barrier"
T = 100
kernel = "heatbath-axis:1"
`

func TestSweepTable(t *testing.T) {
	goldenTable(t, "sweep.txt", sweep.Table(sweepResults(t, sweepSpec)))
}

func TestSweepPlanAndStatus(t *testing.T) {
	p := longtest.Must(planSweep(t, sweepSpec).Plan())(t)
	goldenTable(t, "sweep_plan.txt", sweep.PlanTable(p))
	status := &sweep.Status{Cells: 13, Done: 7, Failed: 1, Shards: []sweep.ShardStatus{
		{Shard: sweep.Shard{Index: 1, Count: 3}, Cells: 5, Done: 5, Failed: 1, State: sweep.Complete},
		{
			Shard:   sweep.Shard{Index: 2, Count: 3},
			Cells:   4,
			Done:    2,
			State:   sweep.Running,
			Process: "process 17 on node3, since 2026-01-01T00:00:00Z",
		},
		{Shard: sweep.Shard{Index: 3, Count: 3}, State: sweep.NotStarted},
	}}
	goldenTable(t, "sweep_status.txt", sweep.StatusTable(status))
	extended := &sweep.Status{
		Cells:  3,
		Done:   3,
		Shards: []sweep.ShardStatus{{Shard: sweep.Shard{Index: 1, Count: 1}, Done: 3, State: sweep.Complete}},
	}
	if row := sweep.StatusTable(extended).Rows[0]; row[2] != nil || row[3] != 3 || row[5] != nil {
		t.Errorf("nobody knows how many cells fall to a shard of a sweep that was extended: %v", row)
	}
}
