package instance

import "rcmdplab/core/model"

var queue = example("queue", "Queue with two limits",
	"Choose how fast to serve and how many to admit: short queues, within limits on the price of serving and on who is turned away, in a calm or a slow week.",
	[]Parameter{
		{Name: "service", Label: "Largest average price of serving", Default: 0.5, Min: 0.3, Max: 1},
		{Name: "refused", Label: "Largest average share refused", Default: 0.25, Min: 0.05, Max: 0.5},
	},
	func(q map[string]float64) *model.Problem {
		const room = 5
		serve, admit := []float64{0.4, 0.8}, []float64{0.3, 0.6}
		p := draft("Queue with two limits", "One server, at most five in line. Every slot an arrival is admitted with the chosen probability and a service ends with the chosen one.",
			0.95, numbered("%d in line", 0, room+1), []string{"serve slowly, admit few", "serve slowly, admit many", "serve fast, admit few", "serve fast, admit many"}, nil)
		p.Source = "Law of the queue with control of service and flow: Altman, Constrained Markov decision processes, 1999, chapter 5. Rates, prices and the slow week are this page's."
		p.Initial[0] = 1
		p.Objective = model.Cost{Name: "queue length", Average: true, Values: table(p, func(s, _ int) float64 { return float64(s) })}
		p.Constraints = []model.Constraint{
			{Cost: model.Cost{Name: "price of serving", Average: true, Values: byAction(p, 0.3, 0.3, 1, 1)}, Bound: q["service"]},
			{Cost: model.Cost{Name: "refused", Average: true, Values: byAction(p, 0.5, 0, 0.5, 0)}, Bound: q["refused"]},
		}
		week := func(name string, speed float64) *model.Kernel {
			return kernel(p, name, func(row []float64, s, a int) {
				done, come := speed*serve[a/2], admit[a%2]
				switch s {
				case 0:
					row[1], row[0] = come*(1-done), 1-come*(1-done)
				case room:
					row[room-1], row[room] = done, 1-done
				default:
					row[s-1], row[s+1] = done*(1-come), (1-done)*come
					row[s] = done*come + (1-done)*(1-come)
				}
			})
		}
		p.Uncertainty = finite(week("calm", 1), week("slow", 0.8))
		return p
	})
