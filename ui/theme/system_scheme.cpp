#include "theme/system_scheme.h"

#ifdef SYNPERF_WITH_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFileInfo>
#endif

namespace synperf::ui {

#ifdef SYNPERF_WITH_DBUS

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kSettings = QStringLiteral("org.freedesktop.portal.Settings");
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kColorScheme = QStringLiteral("color-scheme");

// Opening a bus that is not there may start one; that costs more than the answer is worth.
bool session_bus_is_there() {
    if (!qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return true;
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return !runtime.isEmpty() && QFileInfo::exists(runtime + QStringLiteral("/bus"));
}

}  // namespace

SystemScheme::SystemScheme(std::function<void(bool)> report, QObject* parent)
    : QObject(parent), report_(std::move(report)) {
    if (!session_bus_is_there()) return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(kService, kPath, kSettings, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage read = QDBusMessage::createMethodCall(kService, kPath, kSettings, QStringLiteral("Read"));
    read << kAppearance << kColorScheme;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(read, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (!reply.isError()) settingChanged(kAppearance, kColorScheme, reply.value());
        done->deleteLater();
    });
}

void SystemScheme::settingChanged(const QString& name, const QString& key, const QDBusVariant& value) {
    if (name != kAppearance || key != kColorScheme) return;
    QVariant inner = value.variant();
    // Read() answers with a variant in a variant.
    if (inner.canConvert<QDBusVariant>()) inner = inner.value<QDBusVariant>().variant();
    take(inner.toUInt());
}

#else

SystemScheme::SystemScheme(std::function<void(bool)> report, QObject* parent)
    : QObject(parent), report_(std::move(report)) {}
void SystemScheme::settingChanged(const QString&, const QString&, const QDBusVariant&) {}

#endif

void SystemScheme::take(unsigned scheme) const {
    if (scheme == 1) report_(true);
    if (scheme == 2) report_(false);
}

}  // namespace synperf::ui
