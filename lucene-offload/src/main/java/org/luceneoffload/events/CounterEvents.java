/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.OpenDevices;
import org.luceneoffload.report.OpenDevices.OpenDevice;

/**
 * The counters of every open device, as periodic events: one with all {@link Counter}s, whichever
 * there are, and one for each reason.
 */
final class CounterEvents {
  private static final String PERIOD = "10 s";

  /** Reasons that are told of a device at a time; the rest is in the counters' sums. */
  private static final int MAX_REASONS = 100;

  private final Runnable counters = () -> OpenDevices.all().forEach(CounterEvents::counters);
  private final Runnable reasons = () -> OpenDevices.all().forEach(CounterEvents::reasons);

  @Name("org.luceneoffload.ReasonCount")
  @Label("Reason Count")
  @Description("How often something was refused, fell back or went wrong for one reason")
  @Category("Lucene Offload")
  @StackTrace(false)
  @Period(PERIOD)
  static final class ReasonCountEvent extends Event {
    @Label("Device")
    String device;

    @Label("Kind")
    @Description("REFUSAL, FALLBACK or TROUBLE")
    String kind;

    @Label("Reason")
    String reason;

    @Label("Count")
    @Description("Since the device was opened")
    long count;
  }

  /** The event with all counters; one for each class loader, however often it is registered. */
  private static final class Counters {
    static final EventFactory FACTORY = countersFactory();
  }

  /** Has the recorder ask for both; called when there is a recorder. */
  void start() {
    FlightRecorder.addPeriodicEvent(Counters.FACTORY.newEvent().getClass(), counters);
    FlightRecorder.addPeriodicEvent(ReasonCountEvent.class, reasons);
  }

  /** Ends what {@link #start} began; the recorder then keeps nothing of this class loader. */
  void stop() {
    FlightRecorder.removePeriodicEvent(counters);
    FlightRecorder.removePeriodicEvent(reasons);
  }

  private static EventFactory countersFactory() {
    List<AnnotationElement> annotations =
        List.of(
            new AnnotationElement(Name.class, "org.luceneoffload.Counters"),
            new AnnotationElement(Label.class, "Counters"),
            new AnnotationElement(
                Description.class, "All counters of a device, since it was opened"),
            new AnnotationElement(Category.class, new String[] {"Lucene Offload"}),
            new AnnotationElement(StackTrace.class, false),
            new AnnotationElement(Period.class, PERIOD));
    List<ValueDescriptor> fields = new ArrayList<>();
    fields.add(
        new ValueDescriptor(
            String.class, "device", List.of(new AnnotationElement(Label.class, "Device"))));
    for (Counter counter : Counter.values()) {
      fields.add(
          new ValueDescriptor(
              long.class,
              fieldName(counter),
              List.of(new AnnotationElement(Label.class, label(counter)))));
    }
    return EventFactory.create(annotations, fields);
  }

  /** Returns a counter's name as a field: LEAVES_ON_HOST is leavesOnHost. */
  static String fieldName(Counter counter) {
    String label = label(counter).replace(" ", "");
    return Character.toLowerCase(label.charAt(0)) + label.substring(1);
  }

  private static String label(Counter counter) {
    StringBuilder label = new StringBuilder();
    for (String word : counter.name().split("_", -1)) {
      label.append(label.isEmpty() ? "" : " ");
      label.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return label.toString();
  }

  private static void counters(OpenDevice device) {
    Event event = Counters.FACTORY.newEvent();
    if (event.shouldCommit()) {
      int field = 0;
      event.set(field++, device.name());
      for (Counter counter : Counter.values()) {
        event.set(field++, device.stats().get(counter));
      }
      event.commit();
    }
  }

  private static void reasons(OpenDevice device) {
    OffloadStats stats = device.stats();
    reasons(device.name(), "REFUSAL", stats.refusals());
    reasons(device.name(), "FALLBACK", stats.fallbacks());
    reasons(device.name(), "TROUBLE", stats.troubles());
  }

  private static void reasons(String device, String kind, Map<String, Long> reasons) {
    reasons.entrySet().stream()
        .limit(MAX_REASONS)
        .forEach(
            entry -> {
              ReasonCountEvent event = new ReasonCountEvent();
              if (event.shouldCommit()) {
                event.device = device;
                event.kind = kind;
                event.reason = entry.getKey();
                event.count = entry.getValue();
                event.commit();
              }
            });
  }
}
